import {
  type CholeskyFactor,
  choleskyLogDeterminant,
  choleskyLowerInverseInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { matrixOf } from '@heterosis/linalg/matrix';
import { type ComponentCovariance, covarianceFrom } from '../mixed-model/heritability.ts';
import {
  type SearchLimits,
  SMALLEST_RESIDUAL,
  searchVariances,
  type Theta,
  type VarianceState,
} from '../mixed-model/two-variance-search.ts';
import type { DominanceEquations } from './dominance-equations.ts';
import { squaresOfPart, sumOfPart } from './part-sums.ts';

export interface DominanceReml {
  /** σ²a, σ²d on the scale of their kinships, σ²e. */
  variances: [number, number, number];
  /** Which of them ended at 0. */
  atBoundary: [boolean, boolean, boolean];
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Of the variances; null when one of them ended at 0, without convergence, and where they cannot be separated. */
  covariance: ComponentCovariance | null;
  /** 2m effects of the coded markers, additive ones first. */
  effects: Float64Array;
  /** Square roots of σ²_k/(divisor_k·σ²e), 2m values. */
  weights: Float64Array;
  /** σ²e of V, above 0 also at its boundary. */
  residual: number;
  /** Of I + SCS, S = diag(weights); valid until the equations make another. */
  factor: CholeskyFactor;
}

/** The likelihood at θ, with B = I + SCS. */
interface State extends VarianceState {
  weights: Float64Array;
  /** L⁻¹S·F̃'z. */
  half: Float64Array;
}

/** Sums over the individuals that derivatives are made of, x = V⁻¹z. */
interface Solved {
  /** F̃'x. */
  images: Float64Array;
  /** x'x. */
  square: number;
  /** B⁻¹S·F̃'z. */
  solution: Float64Array;
}

/**
 * REML of two variances from the equations of the markers: the likelihood of `fitTwoKernels`, searched in the same
 * way. With φ_k = σ²_k/(divisor_k·σ²e) for the columns of kinship k, S = diag(√φ) and B = I + SCS, V = σ²e(I +
 * F̃S²F̃') gives
 *
 * - log|V| = log|B| + (n − c)·log σ²e and y'Py·σ²e = ỹ'ỹ − |L⁻¹Sz|², LL' = B;
 * - S·F̃'V⁻¹ỹ = B⁻¹Sz/σ²e, effects S·B⁻¹Sz;
 * - tr V⁻¹K_k = (m − tr B⁻¹_kk)/(φ_k·divisor_k·σ²e).
 *
 * A variance of 0 needs no special case: its rows of B are those of I. One factor a point and one inverse an iteration,
 * 8m³/3 and 16m³/3 operations.
 *
 * @throws StatgenError `not-finite`
 */
export function fitDominanceReml(equations: DominanceEquations, trait: number, limits: SearchLimits): DominanceReml {
  const likelihood = createLikelihood(equations, trait);
  const { order, scales, isEmpty, evaluate, derivatives, informationAt, factorOf, solve } = likelihood;
  const { state, iterations, converged } = searchVariances({ order, isEmpty, evaluate, derivatives }, limits);
  const variance = likelihood.traitVariance;
  const [first, second, residual] = state.theta;
  const residualZero = residual <= SMALLEST_RESIDUAL;
  const atBoundary: DominanceReml['atBoundary'] = [first === 0, second === 0, residualZero];
  const scaleOf = (k: number): number => scales[k] ?? 1;
  const information = informationAt(state).map((row, k) => row.map((value, l) => value * scaleOf(k) * scaleOf(l)));
  const { solution } = solve(state);
  return {
    variances: [
      (first * variance) / scales[0],
      (second * variance) / scales[1],
      residualZero ? 0 : residual * variance,
    ],
    atBoundary,
    logLikelihood: state.value - 0.5 * order * Math.log(variance),
    iterations,
    converged,
    covariance: !converged || atBoundary.includes(true) ? null : covarianceFrom(information, variance),
    effects: solution.map((value, i) => Math.sqrt(variance) * state.weights[i] * value),
    weights: state.weights,
    residual: residual * variance,
    factor: factorOf(state),
  };
}

/** The likelihood of one trait, its kinships scaled to a mean diagonal of 1 among the contrasts, and itself as well. */
function createLikelihood(equations: DominanceEquations, trait: number) {
  const { m, order, divisors, meanEigenvalues, diagonal } = equations;
  const size = 2 * m;
  const traitVariance = equations.squares[trait] / order;
  const z = equations.z.data
    .subarray(trait * size, (trait + 1) * size)
    .map((value) => value / Math.sqrt(traitVariance));
  const scales = meanEigenvalues.map((mean) => (mean > 0 ? mean : 1)) as [number, number];
  const isEmpty = meanEigenvalues.map((mean) => mean === 0);
  const kernelOf = (i: number): 0 | 1 => (i < m ? 0 : 1);
  let factored: { weights: Float64Array; factor: CholeskyFactor } | undefined;

  const factorOf = ({ weights }: Pick<State, 'weights'>): CholeskyFactor => {
    if (factored?.weights !== weights) {
      factored = undefined;
      factored = { weights, factor: equations.factor(weights) };
    }
    return factored.factor;
  };
  const halfSolve = (state: Pick<State, 'weights'>, v: Float64Array): Float64Array => {
    const half = v.map((value, i) => value * state.weights[i]);
    solveLowerInPlace(factorOf(state).lower, matrixOf(size, 1, half));
    return half;
  };

  const evaluate = (theta: Theta): State | undefined => {
    const [, , residual] = theta;
    const roots = ([0, 1] as const).map((k) => Math.sqrt(theta[k] / (scales[k] * divisors[k] * residual)));
    const weights = Float64Array.from({ length: size }, (_, i) => roots[kernelOf(i)]);
    try {
      const half = halfSolve({ weights }, z);
      const quadratic = (order - dot(half, half)) / residual;
      const logDeterminant = choleskyLogDeterminant(factorOf({ weights })) + order * Math.log(residual);
      const value = -0.5 * (order * Math.log(2 * Math.PI) + logDeterminant + quadratic);
      return Number.isFinite(value) ? { theta, value, quadratic, weights, half } : undefined;
    } catch (error) {
      if (error instanceof LinalgError && error.code === 'not-positive-definite') return undefined;
      throw error;
    }
  };

  const solve = (state: State): Solved => {
    const [, , residual] = state.theta;
    const solution = state.half.slice();
    solveLowerInPlace(factorOf(state).lower, matrixOf(size, 1, solution), { transposed: true });
    const images = solution.map((value, i) => value / (state.weights[i] * residual));
    if (state.weights.some((weight) => weight === 0)) {
      const explained = equations.times(solution.map((value, i) => value * state.weights[i]));
      for (let i = 0; i < size; i++) if (state.weights[i] === 0) images[i] = (z[i] - explained[i]) / residual;
    }
    const square = (order - dot(state.half, state.half) - dot(solution, solution)) / residual ** 2;
    return { images, square, solution };
  };

  /** K_k·x = F̃·v for the scaled kernel K_k = F̃_kF̃_k'/(divisor_k·scale_k): v is F̃_k'x over that divisor. */
  const ownColumns = (k: 0 | 1, images: Float64Array): Float64Array =>
    images.map((value, i) => (kernelOf(i) === k && !isEmpty[k] ? value / (divisors[k] * scales[k]) : 0));

  const informationFrom = (state: State, { images, square }: Solved): number[][] => {
    const [, , residual] = state.theta;
    const columns = ([0, 1] as const).map((k) => ownColumns(k, images));
    const products = columns.map((own) => equations.times(own));
    const halves = [...products, images].map((v) => halfSolve(state, v));
    const crossOf = (k: number, l: number): number =>
      k === 2 && l === 2
        ? square
        : k < 2 && l < 2
          ? dot(columns[k], products[l])
          : dot(columns[Math.min(k, l)], images);
    return [0, 1, 2].map((k) => [0, 1, 2].map((l) => (0.5 * (crossOf(k, l) - dot(halves[k], halves[l]))) / residual));
  };

  /** tr(C_kk) − |L⁻¹S·C_k|², for a variance so small that the traces of B⁻¹ would leave it no digits. */
  const traceByColumns = (state: State, k: 0 | 1): number => {
    let trace = sumOfPart(diagonal, k * m, m);
    for (let first = 0; first < m; first += COLUMNS_AT_A_TIME) {
      const part = equations.columns(k * m + first, Math.min(COLUMNS_AT_A_TIME, m - first));
      for (let i = 0; i < part.data.length; i++) part.data[i] *= state.weights[i % size];
      solveLowerInPlace(factorOf(state).lower, part);
      trace -= dot(part.data, part.data);
    }
    return trace;
  };

  const derivatives = (state: State): { gradient: Theta; information: number[][] } => {
    const [, , residual] = state.theta;
    const solved = solve(state);
    const information = informationFrom(state, solved);
    const shares = ([0, 1] as const).map((k) => (state.weights[k * m] ** 2 * sumOfPart(diagonal, k * m, m)) / m);
    const byColumns = ([0, 1] as const).map((k) =>
      isEmpty[k] || shares[k] > FEWEST_DIGITS ? undefined : traceByColumns(state, k),
    );
    const inverse = choleskyLowerInverseInPlace(factorOf(state));
    factored = undefined;
    const traces = ([0, 1] as const).map((k) => {
      let trace = 0;
      for (let i = k * m; i < (k + 1) * m; i++) trace += inverse.data[i + i * size];
      return trace;
    });
    const gradientOf = (k: 0 | 1): number => {
      if (isEmpty[k]) return 0;
      const explained = byColumns[k] ?? (m - traces[k]) / state.weights[k * m] ** 2;
      const own = squaresOfPart(solved.images, k * m, m);
      return (-0.5 * (explained / residual - own)) / (divisors[k] * scales[k]);
    };
    const residualTrace = (order - size + traces[0] + traces[1]) / residual;
    return { gradient: [gradientOf(0), gradientOf(1), -0.5 * (residualTrace - solved.square)], information };
  };

  return {
    ...{ order, isEmpty, scales, traitVariance, evaluate, derivatives, solve, factorOf },
    informationAt: (state: State) => informationFrom(state, solve(state)),
  };
}

/** Mean eigenvalue of φC below which its part of B⁻¹ is too close to I. */
const FEWEST_DIGITS = 1e-4;
/** Columns of C solved against a factor at a time. */
const COLUMNS_AT_A_TIME = 1024;

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
