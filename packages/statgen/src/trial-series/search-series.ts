import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { dampedStep, type GradientAt, learnLacking } from '../mixed-model/learned-newton.ts';
import type { SeriesData } from './series-data.ts';
import { evaluateSeries, type SeriesPoint } from './series-likelihood.ts';
import { scoreSeries } from './series-scores.ts';
import { keyOf, parametersOf, type StructuredModel } from './series-structure.ts';
import { SeriesWorkspace } from './series-workspace.ts';

export interface SeriesSearch {
  /** Of the free parameters. */
  values: Float64Array;
  point: SeriesPoint;
  /** Average information of the free parameters. */
  information: Matrix;
  /** Variances that ended at 0 with a likelihood that falls inwards. */
  atBound: Uint8Array;
  /** Largest score of those not at a bound, in units of its standard deviation. */
  gradient: number;
  iterations: number;
  isConverged: boolean;
}

export interface SearchOptions {
  maximumIterations?: number;
  /** Converged when no score, in units of its standard deviation, exceeds this. */
  tolerance?: number;
  /** Called after each step; may throw to stop. */
  onStep?: (iteration: number, logLikelihood: number) => void;
}

const MOST_ITERATIONS = 200;
const TOLERANCE = 1e-6;
/** Damping of the first step, as a share of the information of each parameter, and its least and largest value. */
const DAMPING = { first: 1e-3, least: 1e-10, most: 1e8 };
/** Steps that gain less in total, a share of |ℓ| + 1, are lost in rounding. */
const ROUNDING = 1e-14;

/**
 * The maximum of the REML likelihood nearest to a start, by exact scores and average information, damped as in
 * Levenberg's and Marquardt's method, which also settles rotations of factors: these change nothing, and a damped step
 * takes none. Average information can be half of the observed one along a direction, and steps would then overshoot for
 * ever; what it lacks is learnt from the changes of the scores (a symmetric rank-one update of the difference, after
 * Dennis, Gay & Welsch 1981). A variance that would fall below 0 ends at 0, and leaves it again when its score is
 * positive.
 *
 * @throws StatgenError of `evaluateSeries` when the start has no likelihood
 */
export function searchSeries(
  data: SeriesData,
  model: StructuredModel,
  start: Float64Array,
  { maximumIterations = MOST_ITERATIONS, tolerance = TOLERANCE, onStep }: SearchOptions = {},
): SeriesSearch {
  const m = start.length;
  const lacking = createMatrix(m, m);
  const workspace = new SeriesWorkspace();
  const evaluate = (at: Float64Array): SeriesPoint => evaluateSeries(data, parametersOf(data, model, at), workspace);
  let values: Float64Array = start.slice();
  let point = evaluate(values);
  let damping = DAMPING.first;
  let last: GradientAt | undefined;
  for (let iterations = 0; ; iterations++) {
    const { gradient, information } = freeScores(data, model, point, workspace);
    const isFixed = model.free.map(({ isVariance }, k) => isVariance && values[k] === 0 && gradient[k] <= 0);
    if (last !== undefined) learnLacking(lacking, information, { before: last, now: { values, gradient } }, isFixed);
    last = { values, gradient };
    const size = sizeOf(gradient, information, isFixed);
    const state = { values, information, atBound: Uint8Array.from(isFixed, Number), gradient: size, iterations };
    if (size <= tolerance) return { ...state, point, isConverged: true };
    const next = iterations < maximumIterations ? step(point.logLikelihood) : null;
    // The points that were tried were written over this one.
    if (next === null) return { ...state, point: evaluate(values), isConverged: size <= Math.sqrt(tolerance) };
    ({ values, point, damping } = next);
    onStep?.(iterations, point.logLikelihood);

    /** A step that does not lower the likelihood, or null where none is left. */
    function step(from: number): { values: Float64Array; point: SeriesPoint; damping: number } | null {
      const least = from - ROUNDING * (Math.abs(from) + 1);
      for (let tried = damping; tried <= DAMPING.most; tried *= 10) {
        const change = dampedStep({ gradient, information, lacking, isFixed, damping: tried });
        if (change === null) continue;
        const moved = Float64Array.from(values, (value, k) =>
          model.free[k]?.isVariance === true ? Math.max(0, value + change[k]) : value + change[k],
        );
        const reached = tryPoint(evaluate, moved);
        if (reached !== null && reached.logLikelihood >= least) {
          return { values: moved, point: reached, damping: Math.max(DAMPING.least, tried / 10) };
        }
      }
      return null;
    }
  }
}

function tryPoint(evaluate: (at: Float64Array) => SeriesPoint, values: Float64Array): SeriesPoint | null {
  try {
    return evaluate(values);
  } catch (error) {
    // So far from the optimum, a covariance may not be positive definite to double precision.
    if ((error as { code?: unknown }).code !== 'not-positive-semidefinite') throw error;
    return null;
  }
}

/** Scores and average information of the free parameters: sums over the numbers that each stands for. */
function freeScores(
  data: SeriesData,
  model: StructuredModel,
  point: SeriesPoint,
  workspace: SeriesWorkspace,
): { gradient: Float64Array; information: Matrix } {
  const { scores, information } = scoreSeries(data, point, model.places, workspace);
  const placesOf = model.free.map(({ places }) => places.map((place) => model.placeOf.get(keyOf(place)) ?? -1));
  const gradient = Float64Array.from(placesOf, (places) => places.reduce((sum, place) => sum + scores[place], 0));
  const m = placesOf.length;
  const together = createMatrix(m, m);
  for (const [a, of] of placesOf.entries()) {
    for (const [b, and] of placesOf.entries()) {
      for (const i of of) for (const j of and) together.data[a + b * m] += information.data[i + j * information.rows];
    }
  }
  return { gradient, information: together };
}

/** Largest score of the parameters that are not fixed, in units of its standard deviation, √AI. */
function sizeOf(gradient: Float64Array, information: Matrix, isFixed: readonly boolean[]): number {
  let largest = 0;
  for (const [k, score] of gradient.entries()) {
    const spread = Math.sqrt(information.data[k * (information.rows + 1)]);
    if (!isFixed[k] && spread > 0) largest = Math.max(largest, Math.abs(score) / spread);
  }
  return largest;
}
