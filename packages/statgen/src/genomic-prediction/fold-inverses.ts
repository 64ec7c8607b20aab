import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
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
import { createFixedDesign, type FixedDesign, type FixedModel, fixedPartOf } from './fixed-effects.ts';

/** A part of the individuals that is left out; positions among those observed. */
export interface LeftOutFold {
  /** Not in the training part. */
  leftOut: Int32Array;
  /** Those of them to predict. */
  test: Int32Array;
}

export interface FoldPrediction {
  /** By the test individuals. */
  predicted: Float64Array;
  varianceAdditive: number;
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
}

/** Nodes of an interval of log δ: the first coefficient left out is 1e-12 of the largest. */
const NODES = 11;
/** Intervals either side of the one around the optimum of all individuals. A fold beyond them is fitted on its own. */
const NEIGHBOURS = 2;

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
  const { kinship, observed, y, fixed, folds } = options;
  const n = observed.length;
  const results: FoldPredictions = { folds: folds.map(() => null), kinshipPve: null };
  const whole = createFixedDesign(fixed, observed);
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const work = createMatrix(n, n);
  const start = startOf(kinship, whole.x, centred, work);
  const designs = folds.map((fold): FoldDesign => {
    const isLeft = new Uint8Array(n);
    for (const i of fold.leftOut) isLeft[i] = 1;
    const train = Int32Array.from(observed.keys()).filter((i) => isLeft[i] === 0);
    const hasOwn = fixed.terms.length > 0 || fixed.components !== null;
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
  let pending = designs.map((_, k) => k);
  for (const centre of searchOrder(start)) {
    if (pending.length === 0) break;
    const interval = { low: centre - SERIES_HALF, high: centre + SERIES_HALF };
    const points = yield* evaluateNodes(kinship, shared, designs, pending, interval, work);
    pending = pending.filter((k) => {
      const { train, design, test } = designs[k];
      const ofFold = points[k];
      const order = train.length - design.x.columns;
      const values = ofFold.map(({ quadratic, logDeterminant }) => remlValue(order, quadratic, logDeterminant));
      let node = 0;
      const top = seriesMaximum(interval, NODES, () => values[node++]);
      if (top.isLow || top.isHigh) return true;
      if (top.value <= withoutGenetic(designs[k], centred, order)) return false;
      if (k === folds.length) {
        results.kinshipPve = explainedShare(kinship, whole.x, Math.exp(top.x));
        return false;
      }
      const weights = interpolationWeights(interval, NODES, top.x);
      const at = (value: (point: FoldPoint) => number): number =>
        ofFold.reduce((sum, point, p) => sum + weights[p] * value(point), 0);
      const varianceAdditive = at(({ quadratic }) => quadratic) / order;
      const coefficients = Float64Array.from(ofFold[0].coefficients, (_, c) => at((point) => point.coefficients[c]));
      coefficients[0] += mean;
      results.folds[k] = {
        predicted: Float64Array.from(
          test,
          (i, place) =>
            coefficients[0] +
            fixedPartOf(fixed, design, coefficients, observed[i]) +
            at((point) => point.genetic[place]),
        ),
        varianceAdditive,
        varianceResidual: Math.exp(top.x) * varianceAdditive,
        mean: coefficients[0],
      };
      return false;
    });
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

/** The interval around the optimum of all individuals, then those beside it. */
function* searchOrder(start: number): Generator<number> {
  yield start;
  for (let step = 1; step <= NEIGHBOURS; step++) {
    yield start + 2 * step * SERIES_HALF;
    yield start - 2 * step * SERIES_HALF;
  }
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

/** About log δ at the REML optimum of all individuals. Uses `work`, n × n. */
function startOf(kinship: Matrix, x: Matrix, y: Float64Array, work: Matrix): number {
  const n = kinship.rows;
  const columns = withTrait(x, y);
  const profile = new RemlProfile({
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
  return profile.scan(0, 1);
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

/** The folds at the nodes of an interval: by fold, then node. */
function* evaluateNodes(
  kinship: Matrix,
  shared: Matrix,
  designs: readonly FoldDesign[],
  pending: readonly number[],
  interval: Interval,
  work: Matrix,
): Generator<{ done: number; total: number }, FoldPoint[][]> {
  const points: FoldPoint[][] = designs.map(() => []);
  const total = NODES * pending.length;
  for (const [node, logDelta] of seriesPositions(interval, NODES).entries()) {
    const factor = factorOf(kinship, Math.exp(logDelta), work);
    const logDeterminant = choleskyLogDeterminant(factor);
    const inverse = choleskyInverseInPlace(factor);
    const ofAll = multiply(inverse, shared);
    const formsOfAll = multiply(shared, ofAll, { transposeA: true });
    for (const [position, k] of pending.entries()) {
      if (position % FOLDS_PER_STEP === 0) yield { done: node * pending.length + position, total };
      const { columns, leftOut, test } = designs[k];
      const r = columns === null ? ofAll : multiply(inverse, columns);
      const forms =
        columns === null
          ? matrixOf(formsOfAll.rows, formsOfAll.columns, formsOfAll.data.slice())
          : multiply(columns, r, { transposeA: true });
      const rows = rowsOf(r, leftOut);
      const block = choleskyInPlace(blockOf(inverse, leftOut));
      const e = matrixOf(rows.rows, rows.columns, rows.data.slice());
      choleskySolveInPlace(block, e);
      multiply(rows, e, { transposeA: true, alpha: -1, beta: 1, into: forms });
      const profile = profileOf(forms);
      points[k].push({
        quadratic: profile.quadratic,
        coefficients: profile.coefficients,
        logDeterminant: logDeterminant + choleskyLogDeterminant(block) + profile.logDeterminant,
        genetic: geneticValues(columns ?? shared, e, leftOut, test, profile.coefficients),
      });
    }
  }
  return points;
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

function blockOf(matrix: Matrix, rows: Int32Array): Matrix {
  const block = createMatrix(rows.length, rows.length);
  for (let j = 0; j < rows.length; j++) {
    const column = rows[j] * matrix.rows;
    for (let i = j; i < rows.length; i++) block.data[i + j * rows.length] = matrix.data[rows[i] + column];
  }
  return block;
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
