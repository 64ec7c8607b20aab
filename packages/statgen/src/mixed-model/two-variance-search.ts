import { StatgenError } from '../statgen-error.ts';

/** Variances of two kernels scaled to a mean diagonal of 1, and of the residual, of a trait of variance 1. */
export type Theta = [number, number, number];

/** The likelihood at θ. */
export interface VarianceState {
  theta: Theta;
  value: number;
  /** zᵀV⁻¹z of the trait's contrasts. */
  quadratic: number;
}

/** A trait with two kernels whose likelihood is maximised; how it is computed is left to the implementation. */
export interface TwoVarianceProblem<State extends VarianceState> {
  /** Error contrasts. */
  order: number;
  /** Kernels without variation: their variances are 0. */
  isEmpty: readonly boolean[];
  /** Undefined where V is not positive definite. */
  evaluate(theta: Theta): State | undefined;
  /** Gradient −½(tr V⁻¹K − zᵀV⁻¹KV⁻¹z) and average information ½(KV⁻¹z)ᵀV⁻¹(KV⁻¹z). */
  derivatives(state: State): { gradient: Theta; information: number[][] };
}

export interface SearchLimits {
  /** Seconds after which the search stops with its best iterate; no limit by default. */
  optimizeSeconds?: number;
  /** Milliseconds since some start, for `optimizeSeconds`. */
  now?: () => number;
}

/**
 * Steps of the grid of variance shares; the search starts at its best point. With few individuals the likelihood often
 * has several maxima, and a grid point costs almost nothing; with many it rarely has, and a point costs a third of an
 * iteration.
 */
const START_STEPS = { few: 12, many: 3 };
const FEW_CONTRASTS = 100;
/** Smallest share of σ²e on that grid. */
const START_RESIDUAL = 1e-3;
/** σ²e is kept above this share, so that V stays positive definite where both kernels are singular. */
export const SMALLEST_RESIDUAL = 1e-8;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 12;
/** Largest change of a variance, relative to the trait's, at which the search has converged. */
const CHANGE_TOLERANCE = 1e-9;
/** Gain of log-likelihood below which steps are rounding errors. */
const GAIN_TOLERANCE = 1e-11;
/** Steps to the zero of the gradient after that. */
const MAX_POLISHING_STEPS = 8;

/**
 * Maximum of a likelihood with two kernels by average information (Gilmour, Thompson & Cullis 1995, Biometrics
 * 51:1440). A step that does not raise the likelihood is halved; when halving does not help, a step of
 * expectation-maximisation is taken, which always does. Variances stay ≥ 0: a component whose step leaves the range
 * stops at 0 and is released when the likelihood rises again in its direction. The search begins at the best point of a
 * grid, and ends at the zero of the gradient: near its maximum the likelihood is flat to rounding.
 *
 * @throws StatgenError `not-finite`
 */
export function searchVariances<State extends VarianceState>(
  problem: TwoVarianceProblem<State>,
  { optimizeSeconds = Number.POSITIVE_INFINITY, now = () => performance.now() }: SearchLimits,
): { state: State; iterations: number; converged: boolean } {
  const deadline = now() + 1000 * optimizeSeconds;
  let state = bestStart(problem);
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < MAX_ITERATIONS && now() < deadline) {
    iterations++;
    const next = improve(problem, state);
    const change = Math.max(...next.theta.map((value, k) => Math.abs(value - state.theta[k])));
    const gain = next.value - state.value;
    state = gain >= 0 ? next : state;
    converged = change < CHANGE_TOLERANCE || (gain < GAIN_TOLERANCE && change < Math.sqrt(CHANGE_TOLERANCE));
  }
  if (!converged) return { state, iterations, converged };
  const polished = polish(problem, state, () => now() < deadline);
  return { state: polished.state, iterations: iterations + polished.steps, converged };
}

/**
 * Steps to the zero of the gradient of the variances above their bounds, by the average information corrected after
 * each step by what the gradient did (Broyden 1965, Math Comput 19:577): errors shrink faster than linearly. A step is
 * taken only if the gradient shrinks and the likelihood does not fall; a step that overshoots still corrects the
 * information, so that the next one is shorter.
 */
function polish<State extends VarianceState>(
  { evaluate, derivatives }: TwoVarianceProblem<State>,
  from: State,
  hasTime: () => boolean,
): { state: State; steps: number } {
  let state = from;
  let steps = 0;
  let { gradient, information } = derivatives(state);
  const free = [0, 1, 2].filter((k) => state.theta[k] > lowerBound(k));
  let last = Number.POSITIVE_INFINITY;
  while (steps < MAX_POLISHING_STEPS && hasTime()) {
    const step = solveSmall(information, gradient, free);
    if (step === undefined) break;
    const change = Math.max(...step.map(Math.abs));
    const theta = state.theta.map((value, k) => value + step[k]) as Theta;
    // Not shrinking any more: what is left of the gradient is rounding.
    if (change >= last || free.some((k) => theta[k] <= lowerBound(k))) break;
    const next = evaluate(theta);
    if (next === undefined) break;
    steps++;
    last = change;
    const isNoLower = next.value >= state.value - roundingOf(state);
    if (change < CHANGE_TOLERANCE) {
      if (isNoLower) state = next;
      break;
    }
    const after = derivatives(next);
    information = corrected(information, step, gradient, after.gradient);
    if (isNoLower && normOf(after.gradient, free) < normOf(gradient, free)) {
      state = next;
      gradient = after.gradient;
    }
  }
  return { state, steps };
}

function normOf(gradient: Theta, free: number[]): number {
  return Math.hypot(...free.map((k) => gradient[k]));
}

/** How far two computations of one likelihood may lie apart. */
function roundingOf({ value }: VarianceState): number {
  return GAIN_TOLERANCE * Math.max(1, Math.abs(value));
}

/** The information I with I·step = the decrease of the gradient, by a change of rank one. */
function corrected(information: number[][], step: number[], before: Theta, after: Theta): number[][] {
  const square = step.reduce((sum, value) => sum + value * value, 0);
  return information.map((row, k) => {
    const expected = row.reduce((sum, value, l) => sum + value * step[l], 0);
    const error = (before[k] - after[k] - expected) / square;
    return row.map((value, l) => value + error * step[l]);
  });
}

/** The highest point of a grid over the shares of the variances, each with the total variance that fits it best. */
function bestStart<State extends VarianceState>({ order, isEmpty, evaluate }: TwoVarianceProblem<State>): State {
  const steps = order <= FEW_CONTRASTS ? START_STEPS.few : START_STEPS.many;
  let best: { theta: Theta; value: number } | undefined;
  for (let first = 0; first <= steps; first++) {
    for (let second = 0; first + second <= steps; second++) {
      if ((first > 0 && isEmpty[0]) || (second > 0 && isEmpty[1])) continue;
      const scale = (1 - START_RESIDUAL) / steps;
      const shares: Theta = [first * scale, second * scale, 1 - (first + second) * scale];
      const state = evaluate(shares);
      if (state === undefined) continue;
      // A total variance of t changes −½(log|V| + q) to −½(log|V| + order·log t + q/t), which is highest at t =
      // q/order.
      const total = state.quadratic / order;
      const value = state.value - 0.5 * order * (Math.log(total) + 1 - total);
      if (best === undefined || value > best.value)
        best = { theta: shares.map((share) => share * total) as Theta, value };
    }
  }
  const start = best === undefined ? undefined : evaluate(best.theta);
  if (start === undefined) {
    throw new StatgenError('not-finite', 'the kernels are not positive definite, whatever the variances');
  }
  return start;
}

/** The state after one accepted step; the same values when no step raises the likelihood. */
function improve<State extends VarianceState>(problem: TwoVarianceProblem<State>, state: State): State {
  const { order, isEmpty, evaluate, derivatives } = problem;
  const { gradient, information } = derivatives(state);
  const free = [0, 1, 2].filter((k) => isEmpty[k] !== true && (state.theta[k] > lowerBound(k) || gradient[k] > 0));
  const step = solveSmall(information, gradient, free);
  if (step !== undefined) {
    for (let halving = 0; halving <= MAX_HALVINGS; halving++) {
      const share = 0.5 ** halving;
      const theta = state.theta.map((value, k) => Math.max(lowerBound(k), value + share * step[k])) as Theta;
      const next = evaluate(theta);
      if (next !== undefined && next.value >= state.value) return next;
    }
  }
  const theta = state.theta.map((value, k) =>
    Math.max(lowerBound(k), value + (2 * value * value * gradient[k]) / order),
  ) as Theta;
  return evaluate(theta) ?? state;
}

function lowerBound(component: number): number {
  return component === 2 ? SMALLEST_RESIDUAL : 0;
}

/** Solves the free part of a 3 × 3 system by Gaussian elimination; undefined when it is singular. */
function solveSmall(matrix: number[][], right: Theta, free: number[]): number[] | undefined {
  const rows = free.map((k) => [...free.map((l) => matrix[k][l]), right[k]]);
  const size = free.length;
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (!(Math.abs(rows[k][k]) > 0)) return undefined;
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= size; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const step = [0, 0, 0];
  free.forEach((component, k) => {
    step[component] = rows[k][size] / rows[k][k];
  });
  return step.every(Number.isFinite) ? step : undefined;
}
