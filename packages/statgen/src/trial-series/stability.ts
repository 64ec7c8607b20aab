import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';

/** Classical measures of stability of lines in a complete table of lines and environments; g values each. */
export interface Stability {
  means: Float64Array;
  /** P_i = Σ_j (x_ij − max_j)² / 2e, small for lines near the best everywhere (Lin & Binns 1988). */
  superiority: Float64Array;
  /** Variance of a line over environments. */
  environmentalVariance: Float64Array;
  /** W_i, the line's share of the interaction's sum of squares (Wricke 1962). */
  ecovalence: Float64Array;
  /** σ²_i, unbiased variance of the line's interaction (Shukla 1972); may be negative. NaN with two lines. */
  shukla: Float64Array;
}

const FEWEST_LINES = 2;
const FEWEST_ENVIRONMENTS = 2;

/**
 * @param table g × e, a value a cell, none missing
 * @throws StatgenError `too-few-individuals`, `not-finite`
 */
export function stabilityOf(table: Matrix): Stability {
  requireTable(table);
  const { rows: g, columns: e, data } = table;
  const means = meansOfLines(table);
  const centred = centreTable(table, { lines: true, environments: true });
  const best = Float64Array.from({ length: e }, (_, j) => Math.max(...data.subarray(j * g, (j + 1) * g)));
  const superiority = new Float64Array(g);
  const environmentalVariance = new Float64Array(g);
  const ecovalence = new Float64Array(g);
  for (let j = 0; j < e; j++) {
    for (let i = 0; i < g; i++) {
      const value = data[i + j * g];
      superiority[i] += (value - best[j]) ** 2 / (2 * e);
      environmentalVariance[i] += (value - means[i]) ** 2 / (e - 1);
      ecovalence[i] += centred.data[i + j * g] ** 2;
    }
  }
  const total = ecovalence.reduce((sum, value) => sum + value, 0);
  const shukla = ecovalence.map((value) => (g * (g - 1) * value - total) / ((e - 1) * (g - 1) * (g - 2)));
  return { means, superiority, environmentalVariance, ecovalence, shukla: g > 2 ? shukla : shukla.fill(Number.NaN) };
}

export interface JointRegression {
  /** Effect of each environment, of mean 0. */
  environments: Float64Array;
  /** Slope of each line over the environments; their mean is 1 after one regression, near 1 after several. */
  slopes: Float64Array;
  /** Mean square of the line's deviations, with e − 2 degrees of freedom; NaN with two environments. */
  deviations: Float64Array;
  isConverged: boolean;
}

const MOST_SWEEPS = 10_000;
/** Slopes and effects have settled when no slope moves farther. */
const SETTLED = 1e-13;

/**
 * Joint regression y_ij = g_i + b_i E_j + δ_ij (Finlay & Wilkinson 1963) by alternating least squares (Digby 1979):
 * slopes for given environment effects and effects for given slopes, from slopes of 1 until both settle. With `isOnce`
 * one regression on the means of the environments.
 *
 * @param table g × e, a value a cell, none missing
 * @throws StatgenError `too-few-individuals`, `not-finite`, `constant-trait` when the environments do not differ
 */
export function jointRegression(table: Matrix, { isOnce = false }: { isOnce?: boolean } = {}): JointRegression {
  requireTable(table);
  const { rows: g, columns: e } = table;
  const centred = centreTable(table, { lines: true, environments: false });
  let slopes: Float64Array = new Float64Array(g).fill(1);
  let environments: Float64Array = new Float64Array(e);
  let isConverged = false;
  for (let sweep = 0; sweep < MOST_SWEEPS && !isConverged; sweep++) {
    environments = effectsFor(centred, slopes);
    const moved = slopesFor(centred, environments);
    isConverged = isOnce || moved.every((value, i) => Math.abs(value - slopes[i]) <= SETTLED);
    slopes = moved;
  }
  const deviations = new Float64Array(g);
  for (let j = 0; j < e; j++) {
    for (let i = 0; i < g; i++) {
      deviations[i] += (centred.data[i + j * g] - slopes[i] * environments[j]) ** 2 / (e - 2);
    }
  }
  return { environments, slopes, deviations: e > 2 ? deviations : deviations.fill(Number.NaN), isConverged };
}

/** Σ_i b_i y_ij / Σ b_i². */
function effectsFor({ data, rows: g, columns: e }: Matrix, slopes: Float64Array): Float64Array {
  const square = slopes.reduce((sum, value) => sum + value * value, 0);
  const effects = new Float64Array(e);
  for (let j = 0; j < e; j++) for (let i = 0; i < g; i++) effects[j] += (slopes[i] * data[i + j * g]) / square;
  if (effects.every((value) => value === effects[0])) {
    throw new StatgenError('constant-trait', 'the means of all environments are the same');
  }
  return effects;
}

/** Σ_j E_j y_ij / Σ E_j². */
function slopesFor({ data, rows: g, columns: e }: Matrix, environments: Float64Array): Float64Array {
  const square = environments.reduce((sum, value) => sum + value * value, 0);
  const slopes = new Float64Array(g);
  for (let j = 0; j < e; j++) for (let i = 0; i < g; i++) slopes[i] += (environments[j] * data[i + j * g]) / square;
  return slopes;
}

export interface Biplot {
  /** U·D, g × axes. */
  lines: Matrix;
  /** V, e × axes, columns of length 1; signs are free, here with a sum that is not negative. */
  environments: Matrix;
  /** Sum of squares of each axis. */
  squares: Float64Array;
  /** Degrees of freedom of each axis of the interaction (Gollob 1968): g + e − 1 − 2k. */
  degrees: Int32Array;
}

/**
 * Principal axes of a table of lines and environments: of the interaction (`ammi`, Gauch 1992), or of lines and their
 * interaction (`gge`, Yan et al. 2000), whose columns are centred only.
 *
 * @param table g × e, a value a cell, none missing
 * @throws StatgenError `too-few-individuals`, `not-finite`
 */
export function biplotOf(table: Matrix, kind: 'ammi' | 'gge'): Biplot {
  requireTable(table);
  const { rows: g, columns: e } = table;
  const centred = centreTable(table, { lines: kind === 'ammi', environments: true });
  const axes = Math.min(g - 1, kind === 'ammi' ? e - 1 : e);
  const { values, vectors } = symmetricEigenInPlace(multiply(centred, centred, { transposeA: true }));
  const environments = createMatrix(e, axes);
  for (let k = 0; k < axes; k++) {
    const from = (e - 1 - k) * e;
    let sum = 0;
    for (let j = 0; j < e; j++) sum += vectors.data[from + j];
    for (let j = 0; j < e; j++) environments.data[j + k * e] = (sum < 0 ? -1 : 1) * vectors.data[from + j];
  }
  const squares = Float64Array.from({ length: axes }, (_, k) => Math.max(0, values[e - 1 - k]));
  const degrees = Int32Array.from({ length: axes }, (_, k) => g + e - 1 - 2 * (k + 1));
  return { lines: multiply(centred, environments), environments, squares, degrees };
}

function meansOfLines({ data, rows: g, columns: e }: Matrix): Float64Array {
  const means = new Float64Array(g);
  for (let j = 0; j < e; j++) for (let i = 0; i < g; i++) means[i] += data[i + j * g] / e;
  return means;
}

/** The table without the means of lines, of environments, or both. */
function centreTable(table: Matrix, what: { lines: boolean; environments: boolean }): Matrix {
  const { rows: g, columns: e, data } = table;
  const lines = meansOfLines(table);
  const all = lines.reduce((sum, value) => sum + value, 0) / g;
  const result = createMatrix(g, e);
  for (let j = 0; j < e; j++) {
    let mean = 0;
    for (let i = 0; i < g; i++) mean += data[i + j * g] / g;
    for (let i = 0; i < g; i++) {
      const both = what.lines && what.environments ? all : 0;
      const off = (what.lines ? lines[i] : 0) + (what.environments ? mean : 0) - both;
      result.data[i + j * g] = data[i + j * g] - off;
    }
  }
  return result;
}

function requireTable({ rows, columns, data }: Matrix): void {
  if (rows < FEWEST_LINES || columns < FEWEST_ENVIRONMENTS) {
    throw new StatgenError('too-few-individuals', `${rows} lines in ${columns} environments say nothing of stability`, {
      lines: rows,
      environments: columns,
    });
  }
  if (!data.every(Number.isFinite)) throw new StatgenError('not-finite', 'a cell of the table has no value');
}
