import { choleskyInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';
import type { SeriesKernel } from './series-kernel.ts';

/** A random term of one trial alone, such as its blocks: its covariance is a variance times this matrix. */
export interface LocalTerm {
  name: string;
  /** N_j × N_j, both triangles; null is the identity, as for residuals. */
  matrix: Matrix | null;
  /** Where the search for the variance begins. */
  start: number;
}

/** What one trial (environment) brings to a series. */
export interface SeriesTrial {
  name: string;
  /** N_j lines of the kernel, 0-based, one a record: with means each line once, with plots as often as it was sown. */
  lines: Int32Array;
  /** N_j values: means, or plots. */
  y: Float64Array;
  /** N_j × q_j fixed effects, the mean of the trial first. */
  x: Matrix;
  /** Ω_j, N_j × N_j, the known covariance of the records; null where the local terms are all. */
  omega: Matrix | null;
  /** Random terms with variances to estimate: those of plots in one stage. */
  terms: readonly LocalTerm[];
}

/**
 * The model of a series: y_j = X_j b + A_j Σ_t (Σ_a λ_tja f_ta + d_tj) + Σ_m u_jm + s_j with f_ta ~ N(0, K_t),
 * d_tj ~ N(0, ψ_tj K_t), u_jm ~ N(0, σ²_jm B_jm), s_j ~ N(0, Ω_j).
 */
export interface SeriesData {
  /** Lines of the kernels. */
  lineCount: number;
  kernels: readonly SeriesKernel[];
  trials: readonly SeriesTrial[];
  /** First column of the fixed effects of each trial among all, and their number behind the last. */
  columns: Int32Array;
  /** Mean of the values of each trial, taken off them. */
  centres: Float64Array;
  /** y_j without its centre. */
  centred: readonly Float64Array[];
  recordCount: number;
}

/**
 * Checks the trials of a series and puts them together.
 *
 * @throws StatgenError `shape-mismatch`, `not-finite`, `too-few-individuals` (a trial with fewer than two records),
 * `constant-trait`, `not-positive-semidefinite`, each naming the trial
 */
export function createSeries(kernels: readonly SeriesKernel[], trials: readonly SeriesTrial[]): SeriesData {
  const [first] = kernels;
  if (first === undefined || trials.length === 0) {
    throw new StatgenError('shape-mismatch', 'a series needs a kernel and a trial');
  }
  const lineCount = first.diagonal.length;
  const columns = new Int32Array(trials.length + 1);
  const centres = new Float64Array(trials.length);
  const centred = trials.map((trial, j) => {
    requireTrial(trial, lineCount);
    columns[j + 1] = columns[j] + trial.x.columns;
    centres[j] = trial.y.reduce((sum, value) => sum + value, 0) / trial.y.length;
    return trial.y.map((value) => value - centres[j]);
  });
  const recordCount = trials.reduce((sum, { y }) => sum + y.length, 0);
  return { lineCount, kernels, trials, columns, centres, centred, recordCount };
}

function requireTrial({ name, lines, y, x, omega, terms }: SeriesTrial, lineCount: number): void {
  const n = y.length;
  if (n < 2) throw new StatgenError('too-few-individuals', `trial ${name} has ${n} records`, { trial: name, n });
  const squares = [...(omega === null ? [] : [omega]), ...terms.flatMap(({ matrix }) => matrix ?? [])];
  const fits = lines.length === n && x.rows === n && squares.every((one) => one.rows === n && one.columns === n);
  if (!fits) throw new StatgenError('shape-mismatch', `the arrays of trial ${name} differ in length`, { trial: name });
  if (lines.some((line) => !(line >= 0 && line < lineCount))) {
    throw new StatgenError('shape-mismatch', `trial ${name} has a line that the kernel lacks`, { trial: name });
  }
  if (!y.every(Number.isFinite)) {
    throw new StatgenError('not-finite', `trial ${name} has a value that is not a number`, { trial: name });
  }
  if (omega !== null) requireDefinite(name, omega);
  if (y.every((value) => value === y[0])) {
    throw new StatgenError('constant-trait', `every record of trial ${name} has the same value`, { trial: name });
  }
}

/** @throws StatgenError `not-positive-semidefinite` with the record (`record`, 0-based) at which it fails */
function requireDefinite(trial: string, omega: Matrix): void {
  try {
    choleskyInPlace({ ...omega, data: omega.data.slice() });
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
    const record = Number(error.details.order) - 1;
    throw new StatgenError(
      'not-positive-semidefinite',
      `the covariance of the records of trial ${trial} is not positive definite: it fails at record ${record + 1}`,
      { trial, record },
    );
  }
}

/** A column of ones: a trial whose only fixed effect is its mean. */
export function trialMean(records: number): Matrix {
  const x = createMatrix(records, 1);
  x.data.fill(1);
  return x;
}

/** Adds a multiple of K[lines, lines] of a kernel to an N_j × N_j matrix. */
export function addKernelOfRecords(sum: Matrix, { matrix }: SeriesKernel, lines: Int32Array, factor: number): void {
  const n = lines.length;
  for (let j = 0; j < n; j++) {
    const line = lines[j];
    if (matrix === null) {
      for (let i = 0; i < n; i++) if (lines[i] === line) sum.data[i + j * n] += factor;
    } else {
      const column = line * matrix.rows;
      for (let i = 0; i < n; i++) sum.data[i + j * n] += factor * matrix.data[column + lines[i]];
    }
  }
}

/** Whether each line has one record. */
export function isOnceEach(lines: Int32Array): boolean {
  return new Set(lines).size === lines.length;
}
