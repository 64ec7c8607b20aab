import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { dampedStep, type GradientAt, learnLacking } from '../mixed-model/learned-newton.ts';
import { StatgenError } from '../statgen-error.ts';
import { factorSmall, lowerPlaces, squareSmall } from './small-covariances.ts';
import { evaluateTraits, type TraitCovariances, type TraitPoint } from './trait-likelihood.ts';
import type { TraitRecords } from './trait-records.ts';
import { scoreTraits, type TraitScores } from './trait-scores.ts';

export interface CovarianceSearch {
  point: TraitPoint;
  scores: TraitScores;
  /** Largest score of the entries of the factors, in units of its standard deviation. */
  gradient: number;
  /** A residual variance given the traits before it ended at its least value. */
  isResidualAtBound: boolean;
  iterations: number;
  isConverged: boolean;
}

export interface CovarianceSearchOptions {
  maximumIterations?: number;
  tolerance?: number;
  onStep?: (iteration: number, logLikelihood: number) => void;
}

const MOST_ITERATIONS = 200;
const TOLERANCE = 1e-9;
/** Rounding may not let scores fall further; the variances then have six digits and more. */
const GOOD_TOLERANCE = 1e-5;
/** Steps in which good scores do not halve: what is left is rounding. */
const STUCK_AFTER = 6;
const DAMPING = { first: 1e-3, least: 1e-10, most: 1e8 };
/** Steps that lose less, a share of |ℓ| + 1, are lost in rounding. */
const ROUNDING = 1e-13;
/** Least diagonal entry of the factor of R: the variance of a trait given those before it, of values of variance 1. */
const LEAST_RESIDUAL = 1e-4;

/**
 * The maximum of the REML likelihood nearest to a start, over the Cholesky factors of G and R. So both are covariances
 * at every step, and a G of less than full rank, such as a genetic correlation of 1, is an inner point. Average
 * information with exact scores; the curvature of G = LLᵀ is taken off exactly, what average information lacks is
 * learnt (see `learnLacking`), and steps are damped after Levenberg and Marquardt.
 *
 * @throws StatgenError `not-finite` when the start has no likelihood
 */
export function searchCovariances(
  records: TraitRecords,
  start: TraitCovariances,
  { maximumIterations = MOST_ITERATIONS, tolerance = TOLERANCE, onStep }: CovarianceSearchOptions = {},
): CovarianceSearch {
  const { traitCount: t } = records;
  const places = lowerPlaces(t);
  const half = places.length;
  const isResidualDiagonal = Array.from({ length: 2 * half }, (_, k) => {
    const [row, column] = places[k % half];
    return k >= half && row === column;
  });
  const lacking = createMatrix(2 * half, 2 * half);
  let values = factorsOf(start, t);
  let point = pointAt(records, values);
  let damping = DAMPING.first;
  let [smallest, halvedAt] = [Number.POSITIVE_INFINITY, 0];
  let last: GradientAt | undefined;
  for (let iterations = 0; ; iterations++) {
    const scores = scoreTraits(records, point);
    const { gradient, information, diagonal } = factorScores(values, withUnknownAtZero(scores, point, records), t);
    const held = values;
    const isFixed = isResidualDiagonal.map((is, k) => is && held[k] <= LEAST_RESIDUAL && gradient[k] <= 0);
    if (last !== undefined) learnLacking(lacking, information, { before: last, now: { values, gradient } }, isFixed);
    last = { values, gradient };
    let size = 0;
    for (const [k, score] of gradient.entries()) {
      if (!isFixed[k] && diagonal[k] > 0) size = Math.max(size, Math.abs(score) / Math.sqrt(diagonal[k]));
    }
    const state = { scores, gradient: size, isResidualAtBound: isFixed.includes(true), iterations };
    if (size < smallest / 2) [smallest, halvedAt] = [size, iterations];
    const isStuck = size <= GOOD_TOLERANCE && iterations - halvedAt >= STUCK_AFTER;
    if (size <= tolerance || isStuck) return { ...state, point, isConverged: true };
    const next = iterations < maximumIterations ? step(values, point) : null;
    if (next === null) return { ...state, point, isConverged: size <= GOOD_TOLERANCE };
    ({ values, point, damping } = next);
    onStep?.(iterations, point.logLikelihood);

    /** A step that does not lower the likelihood, or null where none is left. */
    function step(
      from: Float64Array,
      before: TraitPoint,
    ): { values: Float64Array; point: TraitPoint; damping: number } | null {
      const reachedBefore = before.logLikelihood - pullOf(before, records);
      const least = reachedBefore - ROUNDING * (Math.abs(reachedBefore) + 1);
      for (let tried = damping; tried <= DAMPING.most; tried *= 10) {
        const change = dampedStep({ gradient, information, lacking, isFixed, damping: tried, diagonal });
        if (change === null) continue;
        const moved = from.map((value, k) =>
          isResidualDiagonal[k] ? Math.max(LEAST_RESIDUAL, value + change[k]) : value + change[k],
        );
        const reached = evaluateTraits(records, covariancesOf(moved, t));
        if (reached !== null && reached.logLikelihood - pullOf(reached, records) >= least) {
          return { values: moved, point: reached, damping: Math.max(DAMPING.least, tried / 10) };
        }
      }
      return null;
    }
  }
}

/** Weight of the square of a residual covariance that no line tells of. */
const UNKNOWN_WEIGHT = 1;

/** What is taken off the likelihood in the search, see {@link withUnknownAtZero}. */
function pullOf({ covariances: { residual } }: TraitPoint, { together }: TraitRecords): number {
  return residual.reduce((sum, value, k) => sum + (together[k] > 0 ? 0 : 0.25 * UNKNOWN_WEIGHT * value ** 2), 0);
}

/**
 * The likelihood does not depend on the residual covariance of traits that no line has both of: its square, with the
 * weight of one line, draws it to 0, where nothing else is drawn.
 */
function withUnknownAtZero(
  scores: TraitScores,
  { covariances }: TraitPoint,
  { together, traitCount: t }: TraitRecords,
): TraitScores {
  if (!together.includes(0)) return scores;
  const places = lowerPlaces(t);
  const residual = scores.residual.slice();
  const information = { ...scores.information, data: scores.information.data.slice() };
  for (const [k, [row, column]] of places.entries()) {
    if (together[row * t + column] > 0) continue;
    // Of half the sum over both triangles.
    const pull = 0.5 * UNKNOWN_WEIGHT * covariances.residual[row * t + column];
    residual[row * t + column] -= pull;
    residual[column * t + row] -= pull;
    information.data[(places.length + k) * (information.rows + 1)] += UNKNOWN_WEIGHT;
  }
  return { ...scores, residual, information };
}

function pointAt(records: TraitRecords, values: Float64Array): TraitPoint {
  const point = evaluateTraits(records, covariancesOf(values, records.traitCount));
  if (point === null) throw new StatgenError('not-finite', 'the likelihood does not exist at the start');
  return point;
}

/** Entries of the factors of G and R, in the order of `lowerPlaces`. */
function factorsOf({ genetic, residual }: TraitCovariances, t: number): Float64Array {
  return Float64Array.from(
    [genetic, residual].flatMap((matrix) => {
      const lower = factorSmall(matrix, t);
      if (lower === null)
        throw new StatgenError('not-finite', 'the covariances of the start are not positive definite');
      return lowerPlaces(t).map(([row, column]) => lower[row * t + column]);
    }),
  );
}

function covariancesOf(values: Float64Array, t: number): TraitCovariances {
  const [genetic, residual] = lowersOf(values, t).map((lower) => squareSmall(lower, t));
  return { genetic, residual };
}

function lowersOf(values: Float64Array, t: number): Float64Array[] {
  const places = lowerPlaces(t);
  return [0, 1].map((side) => {
    const lower = new Float64Array(t * t);
    for (const [k, [row, column]] of places.entries()) lower[row * t + column] = values[k + side * places.length];
    return lower;
  });
}

/**
 * The scores by the entries of the factors: with dG = dL·Lᵀ + L·dLᵀ, ∂ℓ/∂L = 2SL, and −∂²ℓ has −2 tr(dLᵀS dL) beside
 * the information of G.
 */
function factorScores(
  values: Float64Array,
  scores: TraitScores,
  t: number,
): { gradient: Float64Array; information: Matrix; diagonal: Float64Array } {
  const places = lowerPlaces(t);
  const half = places.length;
  const size = 2 * half;
  const gradient = new Float64Array(size);
  // ∂(entries of G or R)/∂(entries of its factor), for both side by side.
  const jacobian = createMatrix(size, size);
  const curvature = createMatrix(size, size);
  for (const [side, lower] of lowersOf(values, t).entries()) {
    const score = side === 0 ? scores.genetic : scores.residual;
    for (const [k, [a, b]] of places.entries()) {
      const at = side * half + k;
      for (let r = 0; r < t; r++) gradient[at] += 2 * score[a * t + r] * lower[r * t + b];
      for (const [e, [row, column]] of places.entries()) {
        const derivative = (row === a ? lower[column * t + b] : 0) + (column === a ? lower[row * t + b] : 0);
        jacobian.data[side * half + e + at * size] = derivative;
        if (column === b) curvature.data[side * half + e + at * size] = 2 * score[a * t + row];
      }
    }
  }
  const information = createMatrix(size, size);
  const diagonal = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    for (let l = 0; l < size; l++) {
      let sum = 0;
      for (let e = 0; e < size; e++) {
        const left = jacobian.data[e + k * size];
        if (left === 0) continue;
        for (let f = 0; f < size; f++) {
          sum += left * scores.information.data[e + f * size] * jacobian.data[f + l * size];
        }
      }
      information.data[k + l * size] = sum - curvature.data[k + l * size];
      if (k === l) diagonal[k] = sum + Math.abs(curvature.data[k * (size + 1)]);
    }
  }
  return { gradient, information, diagonal };
}
