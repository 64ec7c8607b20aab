import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyLogDeterminant,
  choleskyLowerInverseInPlace,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { withOneThread } from '@heterosis/linalg/threads';
import { createErrorContrasts, orthonormalColumns } from '../mixed-model/error-contrasts.ts';
import {
  type Interval,
  interpolationWeights,
  RemlProfile,
  remlValue,
  SERIES_HALF,
  seriesMaximum,
  seriesPositions,
} from '../mixed-model/reml-profile.ts';
import { createRandomStream } from '../random/random-stream.ts';
import {
  createFixedDesign,
  type FixedDesign,
  type FixedModel,
  fixedPartOf,
  hasFixedEffects,
  markerPartOf,
} from './fixed-effects.ts';
import type { HeldOutPrediction } from './prediction-accuracy.ts';

/** A part of the individuals that is left out; positions among those observed. */
export interface LeftOutFold {
  /** Not in the training part; ascending. */
  leftOut: Int32Array;
  /** Those of them to predict. */
  test: Int32Array;
}

/** By the test individuals. */
export interface FoldPrediction extends HeldOutPrediction {
  varianceAdditive: number;
  /** 0 without dominance. */
  varianceDominance?: number;
  varianceResidual: number;
  mean: number;
}

export interface FoldPredictions {
  /** By fold; null for one whose optimum lies at a bound or far from that of all individuals. */
  folds: (FoldPrediction | null)[];
  /** Share of the phenotypic variance that the kinship explains among all individuals; null at a bound. */
  kinshipPve: number | null;
}

export interface FoldInverseOptions {
  /** n × n among the individuals observed, both triangles; unchanged. */
  kinship: Matrix;
  /** Their places among the individuals of the fixed model. */
  observed: Int32Array;
  /** n values. */
  y: Float64Array;
  fixed: FixedModel;
  folds: readonly LeftOutFold[];
  /** Individuals whose likelihood tells where to begin the search, where there are twice as many. */
  sampleSize?: number | undefined;
}

/** The first Chebyshev coefficient of an interval of log δ that is left out, over the largest. */
const SERIES_ERROR = 1e-11;
/**
 * The likelihood of fewer individuals can have several maxima, and that of a fold its highest far from that of all. The
 * whole range is searched for each of their folds.
 */
export const FEWEST_WITH_ONE_MAXIMUM = 200;
/** Half the length of the interval around the optimum of all individuals, at least. */
const SMALLEST_HALF = 0.05;
/** That interval holds the optima of folds that deviate by so many standard deviations. */
const DEVIATIONS = 3;
/** Intervals beyond the one around the optimum of all individuals. A fold beyond them is fitted on its own. */
const NEIGHBOURS = 2;
/** A sample of so many individuals tells about where the optimum is. */
const SAMPLE_SIZE = 1200;
/** A sample with log δ farther than this from that of h² = ½ tells little. */
const SAMPLE_RANGE = 2;
/** Left-out individuals up to which one thread is faster. */
const ONE_THREAD_UP_TO = 1500;

/**
 * Predictions of every fold, each with its own REML variances, from inverses of the whole. With V = K + δI, W = V⁻¹,
 * S = [X y] and f the individuals left out, R = WS and E = W_ff⁻¹R_f:
 *
 * - S_t'V_tt⁻¹S_t = S'WS − R_f'E of the training part t, so X'V⁻¹X, X'V⁻¹y and y'V⁻¹y;
 * - log|V_tt| = log|V| + log|W_ff|;
 * - K_ft V_tt⁻¹(y_t − X_t b) = (y − Xb)_f − (E_y − E_X b).
 *
 * These are the blocks of an inverse (Searle, Casella & McCulloch 1992, Variance Components, appendix M.4). Each fold
 * costs n_f³/3 at each node of log δ, and all share one inverse, n³, a node; the likelihood, the coefficients and the
 * predictions are interpolated between nodes to 1e-9. Memory: one n × n matrix.
 *
 * Yields after each node, so that a caller can report progress and stop.
 *
 */
export function* predictFromInverses(
  options: FoldInverseOptions,
): Generator<{ done: number; total: number }, FoldPredictions> {
  const { kinship, observed, y, fixed, folds, sampleSize = SAMPLE_SIZE } = options;
  const n = observed.length;
  const results: FoldPredictions = { folds: folds.map(() => null), kinshipPve: null };
  const whole = createFixedDesign(fixed, observed);
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const designs = folds.map((fold): FoldDesign => {
    const isLeft = new Uint8Array(n);
    for (const i of fold.leftOut) isLeft[i] = 1;
    const train = Int32Array.from(observed.keys()).filter((i) => isLeft[i] === 0);
    const hasOwn = hasFixedEffects(fixed);
    const design = hasOwn
      ? createFixedDesign(
          fixed,
          train.map((i) => observed[i]),
        )
      : whole;
    return { ...fold, train, design, columns: hasOwn ? trainingColumns(design, train, centred) : null };
  });
  const shared = withTrait(whole.x, centred);
  // The model of all individuals is one more fold, of which nobody is left out.
  const everybody = Int32Array.from(observed.keys());
  const nobody = new Int32Array(0);
  designs.push({ leftOut: nobody, test: nobody, train: everybody, design: whole, columns: null });
  const work = createMatrix(n, n);
  const largest = folds.reduce((size, { leftOut }) => Math.max(size, leftOut.length), 0);
  const start = n < 2 * sampleSize ? undefined : sampleStart(kinship, centred, sampleSize);
  const first = firstInterval(remlProfile(kinship, whole.x, centred, work).peak(start), largest / n);
  let pending: Record<Side, number[]> = { around: designs.map((_, k) => k), below: [], above: [] };
  for (const { side, ...interval } of intervalsFrom(first)) {
    const searched = pending[side];
    pending = { ...pending, [side]: [] };
    if (searched.length === 0) continue;
    const nodes = nodesOf(interval);
    const points = yield* evaluateNodes({ kinship, shared, designs, searched, interval, nodes, work });
    for (const k of searched) {
      const { train, design, test } = designs[k];
      const ofFold = points[k];
      const order = train.length - design.x.columns;
      const values = ofFold.map(({ quadratic, logDeterminant }) => remlValue(order, quadratic, logDeterminant));
      let node = 0;
      const top = seriesMaximum(interval, nodes, () => values[node++]);
      if (top.isLow || top.isHigh) {
        const next = top.isLow ? 'below' : 'above';
        if (side === 'around' || side === next) pending[next].push(k);
        continue;
      }
      if (top.value <= withoutGenetic(designs[k], centred, order)) continue;
      if (k === folds.length) {
        results.kinshipPve = explainedShare(kinship, whole.x, Math.exp(top.x));
        continue;
      }
      const weights = interpolationWeights(interval, nodes, top.x);
      const at = (value: (point: FoldPoint) => number): number =>
        ofFold.reduce((sum, point, p) => sum + weights[p] * value(point), 0);
      const varianceAdditive = at(({ quadratic }) => quadratic) / order;
      const coefficients = Float64Array.from(ofFold[0].coefficients, (_, c) => at((point) => point.coefficients[c]));
      coefficients[0] += mean;
      results.folds[k] = {
        genetic: Float64Array.from(
          test,
          (i, place) =>
            coefficients[0] +
            markerPartOf(fixed, design, coefficients, observed[i]) +
            at((point) => point.genetic[place]),
        ),
        fixedPart: Float64Array.from(test, (i) => fixedPartOf(fixed, design, coefficients, observed[i])),
        varianceAdditive,
        varianceResidual: Math.exp(top.x) * varianceAdditive,
        mean: coefficients[0],
      };
    }
  }
  return results;
}

interface FoldDesign extends LeftOutFold {
  train: Int32Array;
  design: FixedDesign;
  /** n × (c + 1), [X y] of the training part and 0 elsewhere; null where all folds share that of all individuals. */
  columns: Matrix | null;
}

/** A fold at one node. */
interface FoldPoint {
  /** y'Py of the training part. */
  quadratic: number;
  /** Of its error contrasts. */
  logDeterminant: number;
  coefficients: Float64Array;
  /** By the test individuals. */
  genetic: Float64Array;
}

/** Where an interval of log δ lies, seen from the optimum of all individuals. */
type Side = 'around' | 'below' | 'above';

/** The interval around the optimum of all individuals, then those beside it. */
function* intervalsFrom({ low, high }: Interval): Generator<Interval & { side: Side }> {
  yield { low, high, side: 'around' };
  const width = 2 * SERIES_HALF;
  for (let step = 0; step < NEIGHBOURS; step++) {
    yield { low: high + step * width, high: high + (step + 1) * width, side: 'above' };
    yield { low: low - (step + 1) * width, high: low - step * width, side: 'below' };
  }
}

/** Half the first interval of folds of a fifth, times n: 700 to 1,050 in panels of 1,000 to 4,000 individuals. */
const LIKELY_HALF = 850;

/** As many nodes as n individuals are likely to need, before anything is known of the trait. */
export function likelyNodes(n: number): number {
  const half = Math.max(SMALLEST_HALF, Math.min(SERIES_HALF, LIKELY_HALF / n));
  return nodesOf({ low: -half, high: half });
}

/** Nodes of an interval: singularities lie at a distance of π from the real axis (Trefethen 2013, theorem 8.2). */
function nodesOf({ low, high }: Interval): number {
  const distance = (2 * Math.PI) / (high - low);
  return Math.ceil(-Math.log(SERIES_ERROR) / Math.asinh(distance));
}

/** [X y], n × (c + 1). */
function withTrait(x: Matrix, y: Float64Array): Matrix {
  const columns = createMatrix(x.rows, x.columns + 1);
  columns.data.set(x.data.subarray(0, x.rows * x.columns));
  columns.data.set(y, x.rows * x.columns);
  return columns;
}

function trainingColumns({ x }: FixedDesign, train: Int32Array, y: Float64Array): Matrix {
  const n = y.length;
  const columns = createMatrix(n, x.columns + 1);
  for (let c = 0; c < x.columns; c++) {
    for (const [place, i] of train.entries()) columns.data[i + c * n] = x.data[place + c * train.length];
  }
  for (const i of train) columns.data[i + x.columns * n] = y[i];
  return columns;
}

/**
 * The interval of log δ in which the optima of folds are expected: around that of all individuals, as wide as folds of
 * a share of the individuals deviate from it. Where information grows with the square of the individuals, as it does
 * with little relationship, the variance of an estimate from the others is 1/(1 − share)² times as large.
 */
function firstInterval({ top, curvature }: { top: number; curvature: number }, share: number): Interval {
  const deviation = Math.sqrt((1 / (1 - share) ** 2 - 1) / -curvature);
  const half = curvature < 0 ? Math.max(SMALLEST_HALF, Math.min(SERIES_HALF, DEVIATIONS * deviation)) : SERIES_HALF;
  return { low: top - half, high: top + half };
}

/** About log δ at the optimum of a sample of the individuals; undefined where the sample does not tell. */
function sampleStart(kinship: Matrix, y: Float64Array, size: number): number | undefined {
  const order = createRandomStream(1, 'sample').shuffle(Int32Array.from(kinship.data.subarray(0, kinship.rows).keys()));
  const sample = order.slice(0, size).sort();
  const own = selectRowsAndColumns(kinship, sample, sample);
  const ones = matrixOf(size, 1, new Float64Array(size).fill(1));
  const values = Float64Array.from(sample, (i) => y[i]);
  const start = remlProfile(own, ones, values, createMatrix(size, size)).scan(0, 1);
  return Math.abs(start - Math.log(traceOf(own) / size)) < SAMPLE_RANGE ? start : undefined;
}

/** The REML likelihood of all individuals of a kinship; each point is a factorisation in `work`. */
function remlProfile(kinship: Matrix, x: Matrix, y: Float64Array, work: Matrix): RemlProfile {
  const n = kinship.rows;
  const columns = withTrait(x, y);
  return new RemlProfile({
    order: n - x.columns,
    scale: traceOf(kinship) / n,
    evaluate: (logDelta) => {
      const factor = factorOf(kinship, Math.exp(logDelta), work);
      const half = matrixOf(n, columns.columns, columns.data.slice());
      solveLowerInPlace(factor.lower, half);
      const { quadratic, logDeterminant } = profileOf(multiply(half, half, { transposeA: true }));
      return { quadratics: [quadratic], logDeterminant: choleskyLogDeterminant(factor) + logDeterminant };
    },
  });
}

function traceOf({ rows, data }: Matrix): number {
  let trace = 0;
  for (let i = 0; i < rows; i++) trace += data[i + i * rows];
  return trace;
}

/** k̄/(k̄ + δ) with k̄ = tr(SKS)/(n − c), S = I − X(X'X)⁻¹X'. */
function explainedShare(kinship: Matrix, x: Matrix, delta: number): number {
  const contrasts = createErrorContrasts(x);
  const q = orthonormalColumns(x, contrasts);
  const explained = multiply(q, multiply(kinship, q), { transposeA: true });
  const mean = (traceOf(kinship) - traceOf(explained)) / (x.rows - x.columns);
  return mean / (mean + delta);
}

/** K + δI, factored in `work`. */
function factorOf(kinship: Matrix, delta: number, work: Matrix): CholeskyFactor {
  const n = kinship.rows;
  work.data.set(kinship.data.subarray(0, n * n));
  for (let i = 0; i < n; i++) work.data[i + i * n] += delta;
  return choleskyInPlace(work);
}

/** y'Py, log|X'V⁻¹X| and b̂ from S'V⁻¹S of S = [X y]. */
function profileOf(forms: Matrix): { quadratic: number; logDeterminant: number; coefficients: Float64Array } {
  const c = forms.rows - 1;
  const xx = createMatrix(c, c);
  const b = createMatrix(c, 1);
  for (let j = 0; j < c; j++) {
    for (let i = 0; i < c; i++) xx.data[i + j * c] = forms.data[i + j * forms.rows];
    b.data[j] = forms.data[j + c * forms.rows];
  }
  const xy = b.data.slice();
  const factor = choleskyInPlace(xx);
  choleskySolveInPlace(factor, b);
  let quadratic = forms.data[c + c * forms.rows];
  for (let j = 0; j < c; j++) quadratic -= xy[j] * b.data[j];
  return { quadratic, logDeterminant: choleskyLogDeterminant(factor), coefficients: b.data };
}

/** Folds between two moments at which the caller may stop. */
const FOLDS_PER_STEP = 32;

interface NodeOptions {
  kinship: Matrix;
  /** [X y] of all individuals. */
  shared: Matrix;
  designs: readonly FoldDesign[];
  searched: readonly number[];
  interval: Interval;
  nodes: number;
  /** n × n. */
  work: Matrix;
}

/** The folds at the nodes of an interval: by fold, then node. */
function* evaluateNodes(options: NodeOptions): Generator<{ done: number; total: number }, FoldPoint[][]> {
  const { kinship, shared, designs, searched, interval, nodes, work } = options;
  const points: FoldPoint[][] = designs.map(() => []);
  const total = nodes * searched.length;
  const largest = searched.reduce((size, k) => Math.max(size, designs[k].leftOut.length), 0);
  const scratch = new Float64Array(largest * largest);
  for (const [node, logDelta] of seriesPositions(interval, nodes).entries()) {
    const factor = factorOf(kinship, Math.exp(logDelta), work);
    const logDeterminant = choleskyLogDeterminant(factor);
    const solved = (columns: Matrix): SolvedColumns => {
      const solution = matrixOf(columns.rows, columns.columns, columns.data.slice());
      choleskySolveInPlace(factor, solution);
      return { columns, solution, forms: multiply(columns, solution, { transposeA: true }) };
    };
    const ofAll = solved(shared);
    const own = searched.map((k) => {
      const { columns } = designs[k];
      return columns === null ? ofAll : solved(columns);
    });
    const inverse = choleskyLowerInverseInPlace(factor);
    for (const [position, k] of searched.entries()) {
      if (position % FOLDS_PER_STEP === 0) yield { done: node * searched.length + position, total };
      const fold = designs[k];
      const evaluate = (): FoldPoint => evaluateFold(fold, own[position], inverse, logDeterminant, scratch);
      points[k].push(fold.leftOut.length <= ONE_THREAD_UP_TO ? withOneThread(evaluate) : evaluate());
    }
  }
  return points;
}

/** S = [X y], WS and S'WS. */
interface SolvedColumns {
  columns: Matrix;
  solution: Matrix;
  forms: Matrix;
}

/**
 * @param inverse W, lower triangle
 * @param logDeterminant log|V|
 * @param scratch at least as many numbers as W_ff
 */
function evaluateFold(
  { leftOut, test }: FoldDesign,
  { columns, solution, forms }: SolvedColumns,
  inverse: Matrix,
  logDeterminant: number,
  scratch: Float64Array,
): FoldPoint {
  const rows = rowsOf(solution, leftOut);
  const block = choleskyInPlace(blockOf(inverse, leftOut, scratch));
  const e = matrixOf(rows.rows, rows.columns, rows.data.slice());
  choleskySolveInPlace(block, e);
  const training = matrixOf(forms.rows, forms.columns, forms.data.slice());
  multiply(rows, e, { transposeA: true, alpha: -1, beta: 1, into: training });
  const profile = profileOf(training);
  return {
    quadratic: profile.quadratic,
    coefficients: profile.coefficients,
    logDeterminant: logDeterminant + choleskyLogDeterminant(block) + profile.logDeterminant,
    genetic: geneticValues(columns, e, leftOut, test, profile.coefficients),
  };
}

/** (y − Xb)_f − (E_y − E_X b) of the test individuals. */
function geneticValues(
  columns: Matrix,
  e: Matrix,
  leftOut: Int32Array,
  test: Int32Array,
  b: Float64Array,
): Float64Array {
  const n = columns.rows;
  const size = leftOut.length;
  const place = new Map(Array.from(leftOut, (i, k) => [i, k]));
  return Float64Array.from(test, (i) => {
    const k = place.get(i) ?? 0;
    let value = columns.data[i + b.length * n] - e.data[k + b.length * size];
    for (let c = 0; c < b.length; c++) value -= b[c] * (columns.data[i + c * n] - e.data[k + c * size]);
    return value;
  });
}

function rowsOf(matrix: Matrix, rows: Int32Array): Matrix {
  const chosen = createMatrix(rows.length, matrix.columns);
  for (let j = 0; j < matrix.columns; j++) {
    for (let k = 0; k < rows.length; k++) chosen.data[k + j * rows.length] = matrix.data[rows[k] + j * matrix.rows];
  }
  return chosen;
}

/** The lower triangle of rows and columns of a symmetric matrix, from its lower triangle; `rows` ascend. */
function blockOf(matrix: Matrix, rows: Int32Array, scratch: Float64Array): Matrix {
  const block = matrixOf(rows.length, rows.length, scratch);
  for (let j = 0; j < rows.length; j++) copyRows(matrix.data, rows[j] * matrix.rows, rows, j, block.data);
  return block;
}

/** Rows from the `first` on of a column that begins at `start`. */
function copyRows(from: Float64Array, start: number, rows: Int32Array, first: number, into: Float64Array): void {
  const to = first * rows.length;
  for (let i = first; i < rows.length; i++) into[to + i] = from[start + rows[i]];
}

/** The log-likelihood of the training part without genetic variance, less the constant log|X'X| on both sides. */
function withoutGenetic({ train, design, columns }: FoldDesign, y: Float64Array, order: number): number {
  const x = design.x;
  const own = columns === null ? null : x;
  const forms = createMatrix(x.columns + 1, x.columns + 1);
  const size = train.length;
  const at = (k: number, place: number): number => {
    if (k === x.columns) return y[train[place]];
    return own === null ? x.data[train[place] + k * x.rows] : own.data[place + k * size];
  };
  for (let j = 0; j <= x.columns; j++) {
    for (let i = 0; i <= x.columns; i++) {
      for (let place = 0; place < size; place++) forms.data[i + j * forms.rows] += at(i, place) * at(j, place);
    }
  }
  const { quadratic, logDeterminant } = profileOf(forms);
  return remlValue(order, quadratic, logDeterminant);
}
