import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { createParts, layOutTrial, type TrialLayout, type TrialRecords } from './trial-layout.ts';

/** σ²g of lines, σ²ge of lines within environments, σ²e. */
export type TrialVariances = [number, number, number];

/** A variance component with its standard error. */
export interface VarianceComponent {
  variance: number;
  /** From the average information (Gilmour et al. 1995); null at the bound 0. */
  standardError: number | null;
  isAtBound: boolean;
}

export interface LineVariances {
  line: VarianceComponent;
  /**
   * Null when it cannot be separated from the residual: no line has several plots in one environment, or there is only
   * one environment.
   */
  lineByEnvironment: VarianceComponent | null;
  residual: VarianceComponent;
  /** Log density of the error contrasts without −½·log|X′X|, which depends on how X is coded. */
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Lines with a random effect. */
  lines: number;
  /** Mean variance of the difference of two BLUPs of lines. */
  meanDifferenceVariance: number;
  /** H² after Cullis, Smith & Coombes (2006), 0–1. */
  cullisH2: number;
}

/** With more fixed effects, the dense matrix of their equations takes too much memory and time. */
export const MAX_FIXED_EFFECTS = 3000;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 30;
/** Steps smaller than this share of the total variance end the search. */
const STEP_TOLERANCE = 1e-11;
/** A smaller relative decrease of the likelihood is rounding error. */
const LIKELIHOOD_ROUNDING = 1e-12;
/** σ²e is kept above this share of the total variance: at 0, V has no inverse. */
const LEAST_RESIDUAL = 1e-10;
/** Residuals below this share of the largest value are rounding errors. */
const ROUNDING = 1e-14;
/** Starting shares of σ²g, σ²ge, σ²e. */
const STARTS: readonly TrialVariances[] = [
  [1 / 3, 1 / 3, 1 / 3],
  [0.8, 0.1, 0.1],
  [0.1, 0.8, 0.1],
  [0.1, 0.1, 0.8],
];

/**
 * Variance components of field trials by REML (Patterson & Thompson 1971): y = Xb + line + line × environment + e, with
 * one fixed effect per cell (replicate or block within environment, or environment) and per check, the other lines
 * random and independent. The search is average information (Gilmour, Thompson & Cullis 1995, Biometrics 51:1440–1450)
 * with step halving; σ²g and σ²ge are ≥ 0. For balanced data the estimates are those of the analysis of variance, as
 * long as these are ≥ 0.
 *
 * V is block-diagonal by line, and a block is a diagonal plus one matrix of ones per environment plus one for the line:
 * its inverse has a closed form (Woodbury twice) and is never built. With p fixed effects, k of them per line, an
 * iteration costs O(observations + lines · k² + p³), memory O(p² + observations).
 *
 * H² = 1 − v̄/(2σ²g), v̄ the mean variance of the difference of two BLUPs among the random lines (Cullis, Smith &
 * Coombes 2006, Journal of Agricultural, Biological, and Environmental Statistics 11:381–393).
 *
 * @returns null when the lines are fewer than two, when no degree of freedom is left for the error, when the data
 *   cannot separate the components (without a residual, for example), or when there are more than {@link
 *   MAX_FIXED_EFFECTS} fixed effects
 * @throws StatgenError `shape-mismatch`, `not-finite`
 */
export function fitLineVariances(records: TrialRecords): LineVariances | null {
  const layout = layOutTrial(records);
  if (layout.columns > MAX_FIXED_EFFECTS) return null;
  const lines = layout.isRandom.reduce((sum, is) => sum + is, 0);
  const degrees = degreesOf(layout, records);
  if (lines < 2 || degrees.error < 1 || degrees.line < 1) return null;
  const scale = standardize(layout);
  if (scale === null) return null;
  const hasInteraction = degrees.within >= 1 && degrees.error - degrees.within >= 1;
  const isUsed: readonly boolean[] = [true, hasInteraction, true];

  let best: Evaluation | null = null;
  for (const start of STARTS) {
    const theta: TrialVariances = hasInteraction ? [...start] : [start[0], 0, start[2] + start[1]];
    const tried = evaluate(layout, theta);
    if (tried !== null && (best === null || tried.logLikelihood > best.logLikelihood)) best = tried;
  }
  if (best === null) return null;
  const found = ascend(layout, best, isUsed);
  if (found === null) return null;
  const { state, iterations, converged, information } = found;
  const [g, ge, e] = state.theta;
  if (e <= 2 * LEAST_RESIDUAL * (g + ge + e)) return null;
  const cullis = differenceVariance(layout, state, lines);
  const errors = standardErrors(information, isFree(state, isUsed));
  const component = (k: 0 | 1 | 2): VarianceComponent => ({
    variance: state.theta[k] * scale ** 2,
    standardError: errors[k] === null ? null : errors[k] * scale ** 2,
    isAtBound: state.theta[k] === 0,
  });
  return {
    line: component(0),
    lineByEnvironment: hasInteraction ? component(1) : null,
    residual: component(2),
    logLikelihood: state.logLikelihood - (layout.n - layout.columns) * Math.log(scale),
    iterations,
    converged,
    lines,
    meanDifferenceVariance: cullis * scale ** 2,
    cullisH2: g > 0 ? Math.min(1, Math.max(0, 1 - cullis / (2 * g))) : 0,
  };
}

/**
 * Degrees of freedom of the error after fitting lines and cells, of the error within pairs, and of the random lines
 * after all other effects.
 */
function degreesOf(layout: TrialLayout, { cellCount }: TrialRecords): { error: number; within: number; line: number } {
  const { n, cell, pairStart, lineStart, lineColumnStart } = layout;
  const lines = lineColumnStart.length - 1;
  const pairs = pairStart.length - 1;
  const byLine = createParts(cellCount + lines);
  const byPair = createParts(cellCount + pairs);
  for (let line = 0; line < lines; line++) {
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      for (let at = pairStart[pair]; at < pairStart[pair + 1]; at++) {
        byLine.join(cell[at], cellCount + line);
        byPair.join(cell[at], cellCount + pair);
      }
    }
  }
  const count = (parts: ReturnType<typeof createParts>, nodes: number) =>
    new Set(Array.from({ length: nodes }, (_, node) => parts.of(node))).size;
  const rank = lines + cellCount - count(byLine, cellCount + lines);
  return {
    error: n - rank,
    within: n - (pairs + cellCount - count(byPair, cellCount + pairs)),
    line: rank - layout.columns,
  };
}

/**
 * Replaces the values, in place, by their residuals from the fixed effects, scaled to mean square 1. The error
 * contrasts stay the same, and a check far above the lines no longer costs them digits. Returns the scale; null without
 * variation.
 */
function standardize(layout: TrialLayout): number | null {
  const { value } = layout;
  let largest = 0;
  for (const one of value) largest = Math.max(largest, Math.abs(one));
  if (!(largest > 0)) return null;
  for (let i = 0; i < value.length; i++) value[i] /= largest;
  // With V = I the projection of the values is their least-squares residual.
  const residuals = evaluate(layout, [0, 0, 1])?.weights;
  if (residuals === undefined) return null;
  const rms = Math.sqrt(residuals.reduce((sum, residual) => sum + residual ** 2, 0) / value.length);
  if (!(rms > ROUNDING)) return null;
  for (let i = 0; i < value.length; i++) value[i] = residuals[i] / rms;
  return rms * largest;
}

interface Evaluation {
  theta: TrialVariances;
  /** (X′V⁻¹X)⁻¹, both triangles. */
  inverse: Matrix;
  logLikelihood: number;
  /** Py. */
  weights: Float64Array;
}

/** Null when X′V⁻¹X is numerically not positive definite. */
function evaluate(layout: TrialLayout, theta: TrialVariances): Evaluation | null {
  const { n, columns, value } = layout;
  const { matrix, logDeterminant } = normalMatrix(layout, theta);
  let factor: CholeskyFactor;
  try {
    factor = choleskyInPlace(matrix);
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return null;
    throw error;
  }
  const logNormal = choleskyLogDeterminant(factor);
  const inverse = choleskyInverseInPlace(factor);
  const weights = project(layout, theta, inverse, value);
  let quadratic = 0;
  for (let i = 0; i < n; i++) quadratic += weights[i] * value[i];
  const logLikelihood = -0.5 * (logDeterminant + logNormal + quadratic + (n - columns) * Math.log(2 * Math.PI));
  return Number.isFinite(logLikelihood) ? { theta, inverse, logLikelihood, weights } : null;
}

/** X′V⁻¹X (lower triangle) and log|V|. */
function normalMatrix(layout: TrialLayout, [g, ge, e]: TrialVariances): { matrix: Matrix; logDeterminant: number } {
  const { columns, pairStart, lineStart, isRandom, checkColumn } = layout;
  const { entryStart, entryColumn, entryCount, entryPlace, lineColumnStart, lineColumn } = layout;
  const matrix = createMatrix(columns, columns);
  const { data } = matrix;
  const add = (a: number, b: number, value: number): void => {
    if (a >= b) data[a + b * columns] += value;
    else data[b + a * columns] += value;
  };
  let logDeterminant = 0;
  let u = new Float64Array(64);
  for (let line = 0; line < isRandom.length; line++) {
    const first = lineColumnStart[line];
    const count = lineColumnStart[line + 1] - first;
    if (u.length < count) u = new Float64Array(2 * count);
    u.fill(0, 0, count);
    const check = checkColumn[line];
    let information = 0;
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      const m = pairStart[pair + 1] - pairStart[pair];
      const b = 1 / (e + m * ge);
      information += m * b;
      logDeterminant += (m - 1) * Math.log(e) - Math.log(b);
      for (let k = entryStart[pair]; k < entryStart[pair + 1]; k++) {
        const column = entryColumn[k];
        add(column, column, entryCount[k] / e);
        if (check >= 0 && column !== check) add(check, column, entryCount[k] / e);
        u[entryPlace[k]] += b * entryCount[k];
        if (ge === 0) continue;
        for (let l = entryStart[pair]; l <= k; l++)
          add(column, entryColumn[l], ((-ge * b) / e) * entryCount[k] * entryCount[l]);
      }
    }
    if (isRandom[line] === 0 || g === 0) continue;
    const share = g / (1 + g * information);
    logDeterminant += Math.log1p(g * information);
    for (let a = 0; a < count; a++)
      for (let b = 0; b <= a; b++) add(lineColumn[first + a], lineColumn[first + b], -share * u[a] * u[b]);
  }
  return { matrix, logDeterminant };
}

/** V⁻¹x. */
function solveV(layout: TrialLayout, [g, ge, e]: TrialVariances, x: Float64Array): Float64Array {
  const { pairStart, lineStart, isRandom } = layout;
  const out = new Float64Array(x.length);
  for (let line = 0; line < isRandom.length; line++) {
    let information = 0;
    let weighted = 0;
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      const m = pairStart[pair + 1] - pairStart[pair];
      const b = 1 / (e + m * ge);
      let sum = 0;
      for (let at = pairStart[pair]; at < pairStart[pair + 1]; at++) sum += x[at];
      for (let at = pairStart[pair]; at < pairStart[pair + 1]; at++) out[at] = (x[at] - ge * b * sum) / e;
      information += m * b;
      weighted += b * sum;
    }
    if (isRandom[line] === 0) continue;
    const share = (g / (1 + g * information)) * weighted;
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      const b = 1 / (e + (pairStart[pair + 1] - pairStart[pair]) * ge);
      for (let at = pairStart[pair]; at < pairStart[pair + 1]; at++) out[at] -= share * b;
    }
  }
  return out;
}

/** Px = V⁻¹x − V⁻¹X(X′V⁻¹X)⁻¹X′V⁻¹x. */
function project(layout: TrialLayout, theta: TrialVariances, inverse: Matrix, x: Float64Array): Float64Array {
  const { columns, cell, pairStart, lineStart, checkColumn } = layout;
  const z = solveV(layout, theta, x);
  const right = new Float64Array(columns);
  const eachObservation = (visit: (at: number, check: number) => void): void => {
    for (let line = 0; line < checkColumn.length; line++) {
      const end = pairStart[lineStart[line + 1]];
      for (let at = pairStart[lineStart[line]]; at < end; at++) visit(at, checkColumn[line]);
    }
  };
  eachObservation((at, check) => {
    right[cell[at]] += z[at];
    if (check >= 0) right[check] += z[at];
  });
  const effects = multiplyVector(inverse, right);
  const rest = new Float64Array(x.length);
  eachObservation((at, check) => {
    rest[at] = x[at] - effects[cell[at]] - (check >= 0 ? effects[check] : 0);
  });
  return solveV(layout, theta, rest);
}

/** Z₁Z₁′x, Z₂Z₂′x and x: the derivative of V by each variance, times x. */
function derivatives({ pairStart, lineStart, isRandom }: TrialLayout, x: Float64Array): Float64Array[] {
  const ofLine = new Float64Array(x.length);
  const ofPair = new Float64Array(x.length);
  for (let line = 0; line < isRandom.length; line++) {
    let lineSum = 0;
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      let sum = 0;
      for (let at = pairStart[pair]; at < pairStart[pair + 1]; at++) sum += x[at];
      ofPair.fill(sum, pairStart[pair], pairStart[pair + 1]);
      lineSum += sum;
    }
    if (isRandom[line] === 1) ofLine.fill(lineSum, pairStart[lineStart[line]], pairStart[lineStart[line + 1]]);
  }
  return [ofLine, ofPair, x];
}

interface Traces {
  /** tr(PZ₁Z₁′) over the random lines. */
  line: number;
  /** tr(PZ₂Z₂′). */
  pair: number;
  /** 1′Z₁′PZ₁1. */
  sum: number;
}

function traces(layout: TrialLayout, { theta: [g, ge, e], inverse }: Evaluation): Traces {
  const { columns, pairStart, lineStart, isRandom } = layout;
  const { entryStart, entryCount, entryPlace, lineColumnStart, lineColumn } = layout;
  const { data } = inverse;
  const total = new Float64Array(columns);
  const result: Traces = { line: 0, pair: 0, sum: 0 };
  let u = new Float64Array(64);
  let cu = new Float64Array(64);
  for (let line = 0; line < isRandom.length; line++) {
    const first = lineColumnStart[line];
    const count = lineColumnStart[line + 1] - first;
    if (u.length < count) [u, cu] = [new Float64Array(2 * count), new Float64Array(2 * count)];
    u.fill(0, 0, count);
    let information = 0;
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      const m = pairStart[pair + 1] - pairStart[pair];
      const b = 1 / (e + m * ge);
      information += m * b;
      for (let k = entryStart[pair]; k < entryStart[pair + 1]; k++) u[entryPlace[k]] += b * entryCount[k];
    }
    // (X′V⁻¹X)⁻¹u and u′(X′V⁻¹X)⁻¹u on the columns of the line.
    let ucu = 0;
    for (let a = 0; a < count; a++) {
      let sum = 0;
      const offset = lineColumn[first + a] * columns;
      for (let b = 0; b < count; b++) sum += data[offset + lineColumn[first + b]] * u[b];
      cu[a] = sum;
      ucu += u[a] * sum;
    }
    const shrink = isRandom[line] === 1 ? 1 / (1 + g * information) : 1;
    const share = isRandom[line] === 1 ? g * shrink : 0;
    if (isRandom[line] === 1) {
      result.line += information * shrink - shrink ** 2 * ucu;
      result.sum += information * shrink;
      for (let a = 0; a < count; a++) total[lineColumn[first + a]] += shrink * u[a];
    }
    for (let pair = lineStart[line]; pair < lineStart[line + 1]; pair++) {
      const m = pairStart[pair + 1] - pairStart[pair];
      const b = 1 / (e + m * ge);
      const h = share * m * b;
      let wcw = 0;
      let wcu = 0;
      for (let k = entryStart[pair]; k < entryStart[pair + 1]; k++) {
        const offset = lineColumn[first + entryPlace[k]] * columns;
        wcu += entryCount[k] * cu[entryPlace[k]];
        for (let l = entryStart[pair]; l < entryStart[pair + 1]; l++)
          wcw += entryCount[k] * entryCount[l] * data[offset + lineColumn[first + entryPlace[l]]];
      }
      result.pair += m * b - share * (m * b) ** 2 - (b * b * wcw - 2 * b * h * wcu + h * h * ucu);
    }
  }
  const image = multiplyVector(inverse, total);
  for (let k = 0; k < columns; k++) result.sum -= total[k] * image[k];
  return result;
}

type Information = [number[], number[], number[]];

/** ∂ℓ/∂θ and the average information, ½ y′PVᵢPVⱼPy. */
function scoreAndInformation(layout: TrialLayout, state: Evaluation): { score: number[]; information: Information } {
  const { theta, inverse, weights } = state;
  const trace = traces(layout, state);
  const residualTrace = (layout.n - layout.columns - theta[0] * trace.line - theta[1] * trace.pair) / theta[2];
  const images = derivatives(layout, weights);
  const projected = images.map((image) => project(layout, theta, inverse, image));
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const score = [trace.line, trace.pair, residualTrace].map((t, k) => 0.5 * (dot(weights, images[k]) - t));
  const information = images.map((image) => projected.map((other) => 0.5 * dot(image, other)));
  return { score, information: information as Information };
}

const isFree = ({ theta }: Pick<Evaluation, 'theta'>, isUsed: readonly boolean[]): boolean[] =>
  theta.map((variance, k) => isUsed[k] && variance > 0);

/**
 * Takes average-information steps from a start. A component at 0 stays there as long as the likelihood decreases away
 * from 0. Null when the information is singular: the data cannot separate the components.
 */
function ascend(
  layout: TrialLayout,
  start: Evaluation,
  isUsed: readonly boolean[],
): { state: Evaluation; iterations: number; converged: boolean; information: Information } | null {
  let state = start;
  let iterations = 0;
  for (;;) {
    const { score, information } = scoreAndInformation(layout, state);
    const free = state.theta.map((variance, k) => isUsed[k] && (variance > 0 || score[k] > 0));
    const inverse = invertFree(information, free);
    if (inverse === null) return null;
    const step = inverse.map((row) => row.reduce((sum, value, k) => sum + value * score[k], 0));
    const total = state.theta.reduce((sum, variance) => sum + variance, 0);
    if (Math.max(...step.map(Math.abs)) <= STEP_TOLERANCE * total)
      return { state, iterations, converged: true, information };
    if (iterations >= MAX_ITERATIONS) return { state, iterations, converged: false, information };
    iterations++;
    const next = halvedStep(layout, state, step);
    if (next === null) {
      const isClose = Math.max(...step.map(Math.abs)) <= 1e-6 * total;
      return { state, iterations, converged: isClose, information };
    }
    state = next;
  }
}

/** The longest of the steps 1, ½, ¼ … that does not lower the likelihood; null when every step does. */
function halvedStep(layout: TrialLayout, state: Evaluation, step: readonly number[]): Evaluation | null {
  const total = state.theta.reduce((sum, variance) => sum + variance, 0);
  const least = state.logLikelihood - LIKELIHOOD_ROUNDING * Math.abs(state.logLikelihood);
  for (let halving = 0, length = 1; halving < MAX_HALVINGS; halving++, length /= 2) {
    const [g, ge, e] = state.theta.map((variance, k) => variance + length * step[k]);
    const theta: TrialVariances = [Math.max(0, g), Math.max(0, ge), Math.max(e, LEAST_RESIDUAL * total)];
    const next = evaluate(layout, theta);
    if (next !== null && next.logLikelihood >= least) return next;
  }
  return null;
}

/** Inverse of the free part of a symmetric 3 × 3 matrix, 0 elsewhere; null when it is numerically singular. */
function invertFree(information: Information, free: readonly boolean[]): number[][] | null {
  const a = information.map((row, i) => row.map((value, j) => (free[i] && free[j] ? value : 0)));
  for (let pivot = 0; pivot < 3; pivot++) {
    if (!free[pivot]) continue;
    const d = a[pivot][pivot];
    if (!(d > ROUNDING * information[pivot][pivot])) return null;
    a[pivot] = a[pivot].map((value, j) => (j === pivot ? 1 / d : value / d));
    for (let row = 0; row < 3; row++) {
      if (row === pivot || !free[row]) continue;
      const factor = a[row][pivot];
      a[row] = a[row].map((value, j) => (j === pivot ? -factor / d : value - factor * a[pivot][j]));
    }
  }
  return a;
}

function standardErrors(information: Information, free: readonly boolean[]): (number | null)[] {
  const inverse = invertFree(information, free);
  return free.map((is, k) => (is && inverse !== null && inverse[k][k] > 0 ? Math.sqrt(inverse[k][k]) : null));
}

/**
 * Mean variance of the difference of two BLUPs of random lines: 2(tr C − 1′C1/q)/(q − 1), C their prediction error
 * covariance.
 */
function differenceVariance(layout: TrialLayout, state: Evaluation, lines: number): number {
  const [g] = state.theta;
  const { line, sum } = traces(layout, state);
  const trace = lines * g - g * g * line;
  const total = lines * g - g * g * sum;
  return (2 / (lines - 1)) * (trace - total / lines);
}
