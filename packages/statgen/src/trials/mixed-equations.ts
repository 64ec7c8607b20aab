import {
  choleskyInPlace,
  choleskyLogDeterminant,
  choleskyLowerInverseInPlace,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply, multiplyVector } from '@heterosis/linalg/products';
import type { RemlEvaluation, RemlPoint } from '../mixed-model/maximize-reml.ts';
import { spreadCovariance } from './spread-covariance.ts';
import {
  type LineEffects,
  plotsOfLines,
  type TrialEquations,
  type TrialFrame,
  type TrialSolution,
} from './trial-equations.ts';

/**
 * Models whose random terms are columns with one variance each and whose residuals are independent: blocks, rows and
 * columns, P-splines. V = σ²_e I + σ²_g WW′ + Σ σ²_k Z_k Z_k′.
 *
 * Lines are absorbed first (Henderson 1973): with M = I − W(W′W + λI)⁻¹W′ and λ = σ²_e/σ²_g, or 0 for fixed lines, what
 * is left are the p equations of C = [X, Z] with C′MC/σ²_e. W(W′W + λI)⁻¹W′ depends on the parameters only through the
 * number of plots of a line, so C′MC = C′C − Σ_r C′W_rW_r′C/(r + λ) is put together from one product for each
 * different number r of plots: O(np²) once, then O(p³) an iteration. Random columns are multiplied by their standard
 * deviations and get a unit diagonal (so that a variance may be 0), and the columns of such a term leave the system.
 *
 * Parameters: σ²_g (random lines only), one variance a term, σ²_e.
 */
export function mixedEquations(frame: TrialFrame, terms: readonly Matrix[]): TrialEquations {
  const absorbed = absorbLines(frame, terms);
  const q = terms.length + 1 + Number(frame.lines.random);
  const lower = new Float64Array(q);
  lower[q - 1] = SMALLEST_RESIDUAL;
  return {
    lower,
    upper: new Float64Array(q).fill(Number.POSITIVE_INFINITY),
    evaluate: (parameters) => evaluate(absorbed, parameters),
    natural: (parameters) => ({ values: parameters, slopes: new Float64Array(q).fill(1) }),
    solve: (parameters, marginal) => solution(absorbed, parameters, marginal),
  };
}

/** Share of the variance of the values below which a residual is taken for rounding. */
const SMALLEST_RESIDUAL = 1e-9;

interface Absorbed {
  frame: TrialFrame;
  n: number;
  f: number;
  /** First column of each term in C, and the end. */
  starts: number[];
  /** C = [X, Z], n × p. */
  columns: Matrix;
  /** C′C, p × p, lower. */
  cross: Matrix;
  plots: Int32Array;
  /** W′C, lines × p. */
  lineSums: Matrix;
  /** The lines with r plots, and S_r′S_r of their sums. */
  groups: { size: number; lines: number; cross: Matrix }[];
  /** Of the last point, written over by the next: the coefficients and the system, p × p. */
  spare: { coefficients: Matrix; system: Float64Array };
}

function absorbLines(frame: TrialFrame, terms: readonly Matrix[]): Absorbed {
  const { lines, fixed } = frame;
  const n = frame.y.length;
  const starts = [fixed.columns];
  for (const { columns } of terms) starts.push((starts.at(-1) ?? 0) + columns);
  const p = starts.at(-1) ?? 0;
  const columns = createMatrix(n, p);
  [fixed, ...terms].forEach((part, k) => columns.data.set(part.data, k === 0 ? 0 : starts[k - 1] * n));
  const cross = createMatrix(p, p);
  addOuterProduct(cross, columns, 1, { transposeA: true });
  const plots = plotsOfLines(lines);
  const lineSums = createMatrix(lines.count, p);
  for (let j = 0; j < p; j++) addByLine(columns.data.subarray(j * n, j * n + n), lines.codes, lineSums, j);
  const sizes = [...new Set(plots)].filter((size) => size > 0).sort((a, b) => a - b);
  const groups = sizes.map((size) => {
    const members = [...plots.keys()].filter((line) => plots[line] === size);
    const sums = createMatrix(members.length, p);
    for (let j = 0; j < p; j++) {
      members.forEach((line, i) => {
        sums.data[i + j * members.length] = lineSums.data[line + j * lines.count];
      });
    }
    const product = createMatrix(p, p);
    addOuterProduct(product, sums, 1, { transposeA: true });
    return { size, lines: members.length, cross: product };
  });
  const spare = { coefficients: createMatrix(p, p), system: new Float64Array(p * p) };
  return { frame, n, f: fixed.columns, starts, columns, cross, plots, lineSums, groups, spare };
}

function addByLine(values: Float64Array, codes: Int32Array, sums: Matrix, column: number): void {
  const offset = column * sums.rows;
  for (let i = 0; i < values.length; i++) if (codes[i] >= 0) sums.data[offset + codes[i]] += values[i];
}

/** The factored equations at some parameters. */
interface Factored {
  residual: number;
  lineVariance: number;
  termVariances: Float64Array;
  /** What absorption takes of the sum of a line with r plots: σ²_g/(σ²_e + rσ²_g), or 1/r. */
  share(size: number): number;
  /** C′BC with B = M/σ²_e, p × p, lower. */
  coefficients: Matrix;
  /** Columns of C in the system. */
  active: Int32Array;
  /** Standard deviations by which they are multiplied, 1 for fixed ones. */
  scale: Float64Array;
  /** The Cholesky factor of the scaled system. */
  factor: Matrix;
  /** Solution for all columns of C. */
  solved: Float64Array;
  py: Float64Array;
  logLikelihood: number;
  quadratic: number;
  /** log|V| + log|X′V⁻¹X| with constants of treatment contrasts. */
  logDeterminants: number;
  /** Rank of all fixed effects, lines included. */
  rank: number;
}

function factorize(absorbed: Absorbed, parameters: Float64Array): Factored | null {
  const { frame, n, f, starts, columns, cross, groups } = absorbed;
  const { lines, y } = frame;
  const p = columns.columns;
  const residual = parameters[parameters.length - 1];
  const lineVariance = lines.random ? parameters[0] : 0;
  const termVariances = parameters.slice(Number(lines.random), -1);
  const share = (size: number) => (lines.random ? lineVariance / (residual + size * lineVariance) : 1 / size);
  const { coefficients } = absorbed.spare;
  coefficientsAt({ cross, groups, residual, share }, coefficients);
  const active: number[] = [];
  const scales: number[] = [];
  for (let j = 0; j < f; j++) {
    active.push(j);
    scales.push(1);
  }
  termVariances.forEach((variance, k) => {
    if (variance === 0) return;
    for (let j = starts[k]; j < starts[k + 1]; j++) {
      active.push(j);
      scales.push(Math.sqrt(variance));
    }
  });
  const size = active.length;
  const scale = Float64Array.from(scales);
  const system = matrixOf(size, size, absorbed.spare.system.subarray(0, size * size));
  const places = Int32Array.from(active);
  for (let j = 0; j < size; j++) {
    const [from, own] = [places[j] * p, scale[j]];
    const column = system.data.subarray(j * size, (j + 1) * size);
    for (let i = j; i < size; i++) column[i] = coefficients.data[from + places[i]] * scale[i] * own;
    if (j >= f) column[j] += 1;
  }
  if (!factored(system)) return null;

  const by = base(absorbed, y, residual, share);
  const right = multiplyVector(columns, by, { transposeA: true });
  const unknown = createMatrix(size, 1);
  for (let i = 0; i < size; i++) unknown.data[i] = right[active[i]] * scale[i];
  choleskySolveInPlace({ lower: system }, unknown);
  const solved = new Float64Array(p);
  for (let i = 0; i < size; i++) solved[active[i]] = unknown.data[i] * scale[i];
  const fitted = multiplyVector(columns, solved);
  const py = base(
    absorbed,
    y.map((value, i) => value - fitted[i]),
    residual,
    share,
  );
  const quadratic = dot(y, py);
  const rank = f + (lines.random ? 0 : lines.count);
  let logDeterminants = n * Math.log(residual) + choleskyLogDeterminant({ lower: system });
  for (const group of groups) {
    const each = lines.random ? Math.log1p((group.size * lineVariance) / residual) : Math.log(group.size / residual);
    logDeterminants += group.lines * each;
  }
  const logLikelihood = -0.5 * ((n - rank) * Math.log(2 * Math.PI) + logDeterminants + quadratic);
  if (!Number.isFinite(logLikelihood)) return null;
  return {
    ...{ residual, lineVariance, termVariances, share, coefficients, active: places, scale },
    ...{ factor: system, solved, py, logLikelihood, quadratic, logDeterminants, rank },
  };
}

/** C′BC: C′C/σ²_e less the part of each group, into the lower triangle. */
function coefficientsAt(
  {
    cross,
    groups,
    residual,
    share,
  }: Pick<Absorbed, 'cross' | 'groups'> & { residual: number; share: (size: number) => number },
  into: Matrix,
): void {
  const p = cross.rows;
  const all = into.data;
  for (let j = 0; j < p; j++) {
    for (let i = j + j * p; i < (j + 1) * p; i++) all[i] = cross.data[i] / residual;
  }
  for (const group of groups) {
    const weight = share(group.size) / residual;
    if (weight === 0) continue;
    const own = group.cross.data;
    for (let j = 0; j < p; j++) {
      for (let i = j + j * p; i < (j + 1) * p; i++) all[i] -= weight * own[i];
    }
  }
}

function factored(system: Matrix): boolean {
  try {
    choleskyInPlace(system);
    return true;
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return false;
    throw error;
  }
}

/** B·x with B = (I − W(W′W + λI)⁻¹W′)/σ²_e. */
function base(
  { frame: { lines }, plots }: Absorbed,
  x: Float64Array,
  residual: number,
  share: (size: number) => number,
): Float64Array {
  const sums = new Float64Array(lines.count);
  for (let i = 0; i < x.length; i++) if (lines.codes[i] >= 0) sums[lines.codes[i]] += x[i];
  for (let line = 0; line < sums.length; line++) sums[line] *= plots[line] === 0 ? 0 : share(plots[line]);
  return x.map((value, i) => (value - (lines.codes[i] >= 0 ? sums[lines.codes[i]] : 0)) / residual);
}

function evaluate(absorbed: Absorbed, parameters: Float64Array): RemlEvaluation | null {
  const at = factorize(absorbed, parameters);
  if (at === null) return null;
  return { logLikelihood: at.logLikelihood, derivatives: () => derivativesAt(absorbed, at) };
}

function derivativesAt(absorbed: Absorbed, at: Factored): Omit<RemlPoint, 'logLikelihood'> {
  const { n } = absorbed;
  const derivatives = directions(absorbed, at);
  // The traces come last: they overwrite the factor.
  const information = averageInformation(absorbed, at, derivatives);
  const score = tracesOf(absorbed, at).map(
    (trace, k) => -0.5 * (trace - dot(at.py, derivatives.subarray(k * n, (k + 1) * n))),
  );
  return { score, information };
}

/** V_k P y for each parameter, n × q, with V_k = ∂V/∂σ²_k. */
function directions({ frame: { lines }, columns, starts, n }: Absorbed, { py }: Factored): Float64Array {
  const first = Number(lines.random);
  const q = starts.length + first;
  const result = new Float64Array(n * q);
  if (lines.random) {
    const sums = new Float64Array(lines.count);
    for (let i = 0; i < n; i++) if (lines.codes[i] >= 0) sums[lines.codes[i]] += py[i];
    for (let i = 0; i < n; i++) if (lines.codes[i] >= 0) result[i] = sums[lines.codes[i]];
  }
  for (let k = 0; k + 1 < starts.length; k++) {
    const block = columnsOf(columns, starts[k], starts[k + 1]);
    result.set(multiplyVector(block, multiplyVector(block, py, { transposeA: true })), (k + first) * n);
  }
  result.set(py, (q - 1) * n);
  return result;
}

const columnsOf = ({ rows, data }: Matrix, from: number, to: number): Matrix => ({
  rows,
  columns: to - from,
  data: data.subarray(from * rows, to * rows),
});

/** ½ (V_kPy)′P(V_lPy). */
function averageInformation(absorbed: Absorbed, at: Factored, derivatives: Float64Array): Float64Array {
  const { n, columns } = absorbed;
  const q = derivatives.length / n;
  const based = new Float64Array(n * q);
  for (let k = 0; k < q; k++)
    based.set(base(absorbed, derivatives.subarray(k * n, (k + 1) * n), at.residual, at.share), k * n);
  const right = multiply(columns, matrixOf(n, q, based), { transposeA: true });
  const reduced = createMatrix(at.active.length, q);
  for (let k = 0; k < q; k++) {
    for (let i = 0; i < at.active.length; i++)
      reduced.data[i + k * at.active.length] = right.data[at.active[i] + k * columns.columns] * at.scale[i];
  }
  solveLowerInPlace(at.factor, reduced);
  const information = multiply(matrixOf(n, q, derivatives), matrixOf(n, q, based), { transposeA: true, alpha: 0.5 });
  multiply(reduced, reduced, { transposeA: true, alpha: -0.5, beta: 1, into: information });
  return information.data;
}

/** tr(P V_k) for each parameter. Overwrites the factor by the lower triangle of the inverse. */
function tracesOf(absorbed: Absorbed, at: Factored): Float64Array {
  const { frame, n, f, starts } = absorbed;
  const { lines } = frame;
  const first = Number(lines.random);
  const traces = new Float64Array(starts.length + first);
  at.termVariances.forEach((variance, k) => {
    if (variance === 0) traces[k + first] = traceOfAbsent(absorbed, at, starts[k], starts[k + 1]);
  });
  choleskyLowerInverseInPlace({ lower: at.factor });
  const size = at.active.length;
  let used = 0;
  let place = f;
  at.termVariances.forEach((variance, k) => {
    if (variance === 0) return;
    const count = starts[k + 1] - starts[k];
    let shrunk = 0;
    for (let j = place; j < place + count; j++) shrunk += 1 - at.factor.data[j + j * size];
    place += count;
    traces[k + first] = shrunk / variance;
    used += shrunk;
  });
  if (lines.random) {
    traces[0] = traceOfLines(absorbed, at);
    used += traces[0] * at.lineVariance;
  }
  traces[traces.length - 1] = (n - at.rank - used) / at.residual;
  return traces;
}

/** tr(Z′PZ) of columns that are not in the system: their squares without what the system explains. */
function traceOfAbsent({ columns }: Absorbed, at: Factored, from: number, to: number): number {
  const p = columns.columns;
  const size = at.active.length;
  const explained = createMatrix(size, to - from);
  let trace = 0;
  for (let j = from; j < to; j++) {
    trace += at.coefficients.data[j + j * p];
    for (let i = 0; i < size; i++) {
      const row = at.active[i];
      const value = row >= j ? at.coefficients.data[row + j * p] : at.coefficients.data[j + row * p];
      explained.data[i + (j - from) * size] = value * at.scale[i];
    }
  }
  solveLowerInPlace(at.factor, explained);
  return explained.data.reduce((sum, value) => sum - value * value, trace);
}

/** tr(W′PW) from the inverse in `factor`. */
function traceOfLines({ groups, columns }: Absorbed, at: Factored): number {
  const p = columns.columns;
  const size = at.active.length;
  let trace = 0;
  for (const group of groups) {
    const kept = (1 - group.size * at.share(group.size)) / at.residual;
    trace += group.lines * group.size * kept;
    let product = 0;
    for (let j = 0; j < size; j++) {
      const from = at.active[j] * p;
      for (let i = j; i < size; i++) {
        const value = at.factor.data[i + j * size] * at.scale[i] * at.scale[j] * group.cross.data[at.active[i] + from];
        product += i === j ? value : 2 * value;
      }
    }
    trace -= kept ** 2 * product;
  }
  return trace;
}

function solution(absorbed: Absorbed, parameters: Float64Array, marginal: Float64Array): TrialSolution {
  const at = factorize(absorbed, parameters);
  if (at === null) throw new TypeError('a solution needs parameters at which the likelihood exists');
  const { frame, f, columns } = absorbed;
  const random = at.solved.slice();
  random.fill(0, 0, f);
  // The traces come last: they overwrite the factor.
  return {
    logDeterminant: logDeterminant(absorbed, at),
    quadratic: at.quadratic,
    py: at.py,
    projectionDiagonal: diagonalOfProjection(absorbed, at),
    residual: at.py.map((value) => value * at.residual),
    trend: multiplyVector(columns, random),
    fixedEffects: at.solved.slice(0, f),
    lineMeans: frame.lines.random ? null : meansOfLines(absorbed, at, marginal),
    lineEffects: frame.lines.random ? effectsOfLines(absorbed, at) : null,
    effectiveDimensions: tracesOf(absorbed, at).map((trace, k) => trace * parameters[k]),
  };
}

/** log|V|, from the random columns alone. */
function logDeterminant({ frame: { lines }, cross, groups, n, f }: Absorbed, at: Factored): number {
  const { active, scale, residual, lineVariance } = at;
  const p = cross.rows;
  const size = active.length - f;
  const system = createMatrix(size, size);
  for (let j = 0; j < size; j++) {
    for (let i = j; i < size; i++) {
      const place = active[f + i] + active[f + j] * p;
      const value = lines.random ? at.coefficients.data[place] : cross.data[place] / residual;
      system.data[i + j * size] = value * scale[f + i] * scale[f + j];
    }
    system.data[j + j * size] += 1;
  }
  let sum = n * Math.log(residual) + choleskyLogDeterminant(choleskyInPlace(system));
  for (const group of groups) sum += group.lines * Math.log1p((group.size * lineVariance) / residual);
  return sum;
}

/** P_ii = B_ii − ‖L⁻¹ (C′B)_i‖². */
function diagonalOfProjection({ frame: { lines }, columns, plots, lineSums, n }: Absorbed, at: Factored): Float64Array {
  const { active, scale, residual, share } = at;
  const size = active.length;
  const explained = createMatrix(size, n);
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const line = lines.codes[i];
    const taken = line < 0 ? 0 : share(plots[line]);
    diagonal[i] = (1 - taken) / residual;
    for (let j = 0; j < size; j++) {
      const sum = line < 0 ? 0 : taken * lineSums.data[line + active[j] * lineSums.rows];
      explained.data[j + i * size] = ((columns.data[i + active[j] * n] - sum) * scale[j]) / residual;
    }
  }
  solveLowerInPlace(at.factor, explained);
  for (let i = 0; i < n; i++) diagonal[i] -= sumOfSquares(explained.data, i * size, size);
  return diagonal;
}

/** BLUEs of fixed lines, each with the marginal mean of the other fixed effects, and their covariance. */
function meansOfLines(
  { frame: { lines, y }, plots, lineSums, f, n }: Absorbed,
  { active, scale, residual, solved, factor }: Factored,
  marginal: Float64Array,
): TrialSolution['lineMeans'] {
  const { count } = lines;
  const size = active.length;
  const values = new Float64Array(count);
  for (let i = 0; i < n; i++) values[lines.codes[i]] += y[i] / plots[lines.codes[i]];
  const spread = createMatrix(size, count);
  for (let line = 0; line < count; line++) {
    for (let j = 0; j < size; j++) {
      const mean = lineSums.data[line + active[j] * count] / plots[line];
      const contrast = j < f ? mean - marginal[j] : mean;
      values[line] -= contrast * solved[active[j]];
      spread.data[j + line * size] = contrast * scale[j];
    }
  }
  solveLowerInPlace(factor, spread);
  return { values, covariance: spreadCovariance((line) => residual / plots[line], spread).data };
}

/** BLUPs σ²_g W′Py of random lines with their prediction error variances. */
function effectsOfLines(
  { frame: { lines }, plots, lineSums, n }: Absorbed,
  { active, scale, residual, share, py, lineVariance, factor }: Factored,
): LineEffects {
  const { count } = lines;
  const size = active.length;
  const values = new Float64Array(count);
  for (let i = 0; i < n; i++) if (lines.codes[i] >= 0) values[lines.codes[i]] += lineVariance * py[i];
  const spread = createMatrix(size, count);
  for (let line = 0; line < count; line++) {
    const weight = share(plots[line]);
    for (let j = 0; j < size; j++)
      spread.data[j + line * size] = weight * lineSums.data[line + active[j] * count] * scale[j];
  }
  solveLowerInPlace(factor, spread);
  const errorVariances = new Float64Array(count);
  const total = new Float64Array(size);
  let errorSum = 0;
  for (let line = 0; line < count; line++) {
    const own = residual * share(plots[line]);
    errorVariances[line] = own + sumOfSquares(spread.data, line * size, size);
    errorSum += own;
    for (let j = 0; j < size; j++) total[j] += spread.data[j + line * size];
  }
  return {
    ...{ values, errorVariances, errorSum: errorSum + sumOfSquares(total, 0, size) },
    errorCovariance: () => spreadCovariance((line) => residual * share(plots[line]), spread),
  };
}

function sumOfSquares(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i] ** 2;
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
