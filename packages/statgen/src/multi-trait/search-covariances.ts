import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { dampedStep, type GradientAt, learnLacking } from '../mixed-model/learned-newton.ts';
import { StatgenError } from '../statgen-error.ts';
import { type CovarianceShape, covarianceOf, factorEntries, factorFrom, unstructured } from './covariance-shapes.ts';
import { lowerPlaces } from './small-covariances.ts';
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
  /** ∂(entries of the lower triangles of G, then of R)/∂(free entries of their factors). */
  jacobian: Matrix;
  /** Of the factors of G and R at the maximum, to go on from. */
  entries: Float64Array;
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
 * The maximum of the REML likelihood nearest to a start, over the factors of G, of a shape, and R, unstructured. So
 * both are covariances at every step, and a G of less than full rank, such as a genetic correlation of 1, is an inner
 * point. Average information with exact scores; the curvature of G = LLᵀ is taken off exactly, what average information
 * lacks is learnt (see `learnLacking`), and steps are damped after Levenberg and Marquardt.
 *
 * @param start covariances, or the entries that another search ended at
 * @throws StatgenError `not-finite` when the start has no likelihood
 */
export function searchCovariances(
  records: TraitRecords,
  start: TraitCovariances | Float64Array,
  shape: CovarianceShape,
  { maximumIterations = MOST_ITERATIONS, tolerance = TOLERANCE, onStep }: CovarianceSearchOptions = {},
): CovarianceSearch {
  const { traitCount: t } = records;
  const shapes = [shape, unstructured(t)] as const;
  const isResidualDiagonal = shapes.flatMap(({ places }, side) =>
    places.map(([row, column]) => side === 1 && row === column),
  );
  const size = isResidualDiagonal.length;
  const lacking = createMatrix(size, size);
  let values = start instanceof Float64Array ? start : factorsOf(start, t, shapes);
  let point = pointAt(records, values, shapes);
  let damping = DAMPING.first;
  let [smallest, halvedAt] = [Number.POSITIVE_INFINITY, 0];
  let last: GradientAt | undefined;
  for (let iterations = 0; ; iterations++) {
    const scores = scoreTraits(records, point);
    const informed = withUnknownAtZero(scores, point, records);
    const { gradient, information, diagonal, jacobian } = factorScores(values, informed, t, shapes);
    const held = values;
    const isFixed = isResidualDiagonal.map((is, k) => is && held[k] <= LEAST_RESIDUAL && gradient[k] <= 0);
    if (last !== undefined) learnLacking(lacking, information, { before: last, now: { values, gradient } }, isFixed);
    last = { values, gradient };
    let largest = 0;
    for (const [k, score] of gradient.entries()) {
      if (!isFixed[k] && diagonal[k] > 0) largest = Math.max(largest, Math.abs(score) / Math.sqrt(diagonal[k]));
    }
    const state = {
      ...{ scores, gradient: largest, isResidualAtBound: isFixed.includes(true), iterations },
      ...{ jacobian, entries: values },
    };
    if (largest < smallest / 2) [smallest, halvedAt] = [largest, iterations];
    const isStuck = largest <= GOOD_TOLERANCE && iterations - halvedAt >= STUCK_AFTER;
    if (largest <= tolerance || isStuck) return { ...state, point, isConverged: true };
    const next = iterations < maximumIterations ? step(values, point) : null;
    if (next === null) return { ...state, point, isConverged: largest <= GOOD_TOLERANCE };
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
        const reached = evaluateTraits(records, covariancesOf(moved, t, shapes));
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

/** Of G and of R. */
type Shapes = readonly [CovarianceShape, CovarianceShape];

function pointAt(records: TraitRecords, values: Float64Array, shapes: Shapes): TraitPoint {
  const point = evaluateTraits(records, covariancesOf(values, records.traitCount, shapes));
  if (point === null) throw new StatgenError('not-finite', 'the likelihood does not exist at the start');
  return point;
}

/** Free entries of the factors of G and R, in the order of their shapes. */
function factorsOf({ genetic, residual }: TraitCovariances, t: number, shapes: Shapes): Float64Array {
  return Float64Array.from(
    [genetic, residual].flatMap((matrix, side) => {
      const entries = factorEntries(matrix, t, shapes[side]);
      if (entries === null)
        throw new StatgenError('not-finite', 'the covariances of the start are not positive definite');
      return [...entries];
    }),
  );
}

function covariancesOf(values: Float64Array, t: number, shapes: Shapes): TraitCovariances {
  const [genetic, residual] = factorsFrom(values, t, shapes).map((factor, side) =>
    covarianceOf(factor, t, shapes[side].columns),
  );
  return { genetic, residual };
}

function factorsFrom(values: Float64Array, t: number, [ofG, ofR]: Shapes): [Float64Array, Float64Array] {
  return [factorFrom(values, t, ofG), factorFrom(values.subarray(ofG.places.length), t, ofR)];
}

/**
 * The scores by the free entries of the factors: with dG = dL·Lᵀ + L·dLᵀ, ∂ℓ/∂L = 2SL, and −∂²ℓ has −2 tr(dLᵀS dL)
 * beside the information of G.
 */
function factorScores(
  values: Float64Array,
  scores: TraitScores,
  t: number,
  shapes: Shapes,
): { gradient: Float64Array; information: Matrix; diagonal: Float64Array; jacobian: Matrix } {
  const entries = lowerPlaces(t);
  const half = entries.length;
  const size = shapes[0].places.length + shapes[1].places.length;
  const gradient = new Float64Array(size);
  // ∂(entries of G or R)/∂(entries of its factor), for both side by side.
  const jacobian = createMatrix(2 * half, size);
  const curvature = createMatrix(size, size);
  for (const [side, factor] of factorsFrom(values, t, shapes).entries()) {
    const score = side === 0 ? scores.genetic : scores.residual;
    const { places, columns } = shapes[side];
    const first = side * shapes[0].places.length;
    for (const [k, [a, b]] of places.entries()) {
      const at = first + k;
      for (let r = 0; r < t; r++) gradient[at] += 2 * score[a * t + r] * factor[r * columns + b];
      for (const [e, [row, column]] of entries.entries()) {
        const derivative =
          (row === a ? factor[column * columns + b] : 0) + (column === a ? factor[row * columns + b] : 0);
        jacobian.data[side * half + e + at * 2 * half] = derivative;
      }
      for (const [l, [row, column]] of places.entries()) {
        if (column === b) curvature.data[first + l + at * size] = 2 * score[a * t + row];
      }
    }
  }
  const information = multiply(jacobian, multiply(scores.information, jacobian), { transposeA: true });
  const diagonal = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    diagonal[k] = information.data[k * (size + 1)] + Math.abs(curvature.data[k * (size + 1)]);
  }
  for (let k = 0; k < information.data.length; k++) information.data[k] -= curvature.data[k];
  return { gradient, information, diagonal, jacobian };
}
