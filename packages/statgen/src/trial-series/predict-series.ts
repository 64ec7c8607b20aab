import { columnBlock, createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { covarianceOf, type SeriesFit } from './fit-series.ts';
import type { SeriesData } from './series-data.ts';
import type { SeriesKernel } from './series-kernel.ts';
import { type SeriesParameters, type SeriesPoint, weightsOf } from './series-likelihood.ts';
import { predictFactors, trialResponse } from './series-scores.ts';
import { SeriesWorkspace } from './series-workspace.ts';

/** Columns that are multiplied at a time. */
const PANEL = 256;

/** Effects of all lines in one environment, or over all: n values each. */
export interface LineEffects {
  /** û, deviations from the mean of the environment. */
  effects: Float64Array;
  /** var(û − u), the uncertainty of the fixed effects included, that of the variances not. */
  errorVariances: Float64Array;
  /** 1 − PEV / var(u). */
  reliabilities: Float64Array;
}

export interface SeriesPredictions {
  /** By environment. */
  environments: readonly LineEffects[];
  /** The mean of a line over all environments, each with the same weight. */
  overall: LineEffects & {
    /** Covariance of the prediction errors, n × n; null where it was not asked for. */
    errorCovariance: Matrix | null;
  };
  /** Estimated mean of each environment, with its standard error. */
  means: Float64Array;
  meanErrors: Float64Array;
  /**
   * Of each environment: 1 − mean variance of a difference of effects between its lines / that of the effects
   * themselves (Cullis, Smith & Coombes 2006); null where the lines do not vary.
   */
  heritabilities: (number | null)[];
}

/**
 * Best linear unbiased predictions of every line in every environment, tested there or not, and over all of them.
 *
 * With D_j = Σ_t ψ_tj K_t and E_j = D_jA_jᵀW_jA_j, the variance of the effects given the data is
 * D_j − E_jD_j + (I − E_j)G_j(I − E_j)ᵀ, G_j = Σ_pq λ_jpλ_jq C_pq, plus what the fixed effects add; O(n·N_j²) an
 * environment. A constant that was added to a kernel (`shift`) changes variances alone, and is taken off them.
 */
export function predictSeries(
  data: SeriesData,
  fit: SeriesFit,
  { withCovariance = false }: { withCovariance?: boolean } = {},
): SeriesPredictions {
  const { trials, columns, centres } = data;
  const { point } = fit;
  const environments: LineEffects[] = [];
  const heritabilities: (number | null)[] = [];
  const means = new Float64Array(trials.length);
  const meanErrors = new Float64Array(trials.length);
  const q = columns[trials.length];
  const overall = createOverall(data, fit, withCovariance);
  const workspace = new SeriesWorkspace();
  for (const [j] of trials.entries()) {
    const own = environmentEffects(data, fit, j, workspace);
    overall.add(own, j);
    environments.push(describe(own.effects, own.errorVariances, effectVariances(data, fit, [j])));
    heritabilities.push(realisedHeritability(data, fit, own, j));
    means[j] = centres[j] + point.fixed[columns[j]];
    meanErrors[j] = Math.sqrt(point.fixedCovariance.data[columns[j] * (q + 1)]);
  }
  return { environments, overall: overall.describe(), means, meanErrors, heritabilities };
}

function describe(effects: Float64Array, errorVariances: Float64Array, variances: Float64Array): LineEffects {
  const reliabilities = errorVariances.map((error, i) => (variances[i] > 0 ? 1 - error / variances[i] : 0));
  return { effects, errorVariances, reliabilities };
}

/**
 * The effects of one environment as linear functions of what is random given the data. Its matrices are those of a
 * workspace: valid until the next environment.
 */
interface Environment {
  /** û, n values. */
  effects: Float64Array;
  /** n × N_j, D_j A_jᵀW_j; null where nothing is specific to the environment. */
  carried: Matrix | null;
  /** D_j A_jᵀ, n × N_j. */
  specific: Matrix | null;
  /** Cov(effects, y)V⁻¹X, n × q. */
  design: Matrix;
  /** Of G_j; null without factors. */
  spread: Spread | null;
  /** Diagonal of the variance given the data. */
  errorVariances: Float64Array;
}

/** What is needed of G_j = Σ_pq λ_jp λ_jq C_pq. */
interface Spread {
  /** n values. */
  diagonal: Float64Array;
  /** n × N_j: the columns of the lines of the records. */
  ofRecords: Matrix;
}

function environmentEffects(
  data: SeriesData,
  { parameters, point }: SeriesFit,
  j: number,
  workspace: SeriesWorkspace,
): Environment {
  const { lineCount: n, trials } = data;
  const { loadings, kernelOf } = parameters;
  const { lines } = trials[j];
  const rows = lines.length;
  const e = trials.length;
  const q = data.columns[e];
  const factorValues = predictFactors(point);
  const weights = weightsOf(data, point, j, workspace);
  const { residual, design: trialDesign } = trialResponse(data, point, j, weights);
  const specific = specificCovariance(data, parameters.specific, j, workspace);
  const effects = new Float64Array(n);
  const design = createMatrix(n, q);
  for (let p = 0; p < kernelOf.length; p++) {
    const loading = loadings.data[j + p * e];
    for (let i = 0; i < n; i++) effects[i] += loading * factorValues[p * n + i];
    for (let c = 0; c < q; c++) {
      const from = p * n + (c + 1) * point.solution.rows;
      for (let i = 0; i < n; i++) design.data[i + c * n] += loading * point.solution.data[from + i];
    }
  }
  let carried: Matrix | null = null;
  if (specific !== null) {
    const own = multiply(specific, { rows, columns: 1, data: residual });
    for (let i = 0; i < n; i++) effects[i] += own.data[i];
    multiply(specific, trialDesign, { beta: 1, into: design });
    carried = multiply(specific, weights, { into: workspace.take('carried', n, rows) });
  }
  const spread = spreadOfFactors(data, point, j, workspace);
  const variances = new Float64Array(n);
  for (let i = 0; i < n; i++) variances[i] = spread === null ? 0 : spread.diagonal[i];
  if (carried !== null && specific !== null) {
    addSpecificVariances(variances, data, parameters.specific, j, carried, specific, 1);
    if (spread !== null) addCarriedSpread(variances, carried, spread.ofRecords, { lines, workspace });
  }
  addProductDiagonal(variances, multiply(design, point.fixedCovariance), design, 1);
  const shifted = shiftedVariance(data, parameters, [j]);
  const errorVariances = variances.map((value) => Math.max(0, value - shifted));
  return { effects, carried, specific, design, spread, errorVariances };
}

/** Adds a multiple of the diagonal of D_j − D_jA_jᵀW_jA_jD_j. */
function addSpecificVariances(
  variances: Float64Array,
  { kernels, lineCount: n }: SeriesData,
  specific: Matrix,
  j: number,
  carried: Matrix,
  own: Matrix,
  factor: number,
): void {
  for (const [t, kernel] of kernels.entries()) {
    const variance = factor * specific.data[j + t * specific.rows];
    for (let i = 0; i < n; i++) variances[i] += variance * usedDiagonal(kernel, i);
  }
  addProductDiagonal(variances, carried, own, -factor);
}

/** Adds a multiple of D_j. */
function addSpecificKernels(
  covariance: Matrix,
  { kernels, lineCount: n }: SeriesData,
  { specific, j, factor }: { specific: Matrix; j: number; factor: number },
): void {
  for (const [t, { matrix, diagonal }] of kernels.entries()) {
    const variance = factor * specific.data[j + t * specific.rows];
    if (variance === 0) continue;
    if (matrix === null) for (let i = 0; i < n; i++) covariance.data[i * (n + 1)] += variance * diagonal[i];
    else for (let k = 0; k < covariance.data.length; k++) covariance.data[k] += variance * matrix.data[k];
  }
}

/** Adds the diagonal of −E G − G Eᵀ + E G Eᵀ, E = D_jA_jᵀW_jA_j. */
function addCarriedSpread(
  variances: Float64Array,
  carried: Matrix,
  spread: Matrix,
  { lines, workspace }: { lines: Int32Array; workspace: SeriesWorkspace },
): void {
  const n = spread.rows;
  const rows = lines.length;
  const among = workspace.take('among', rows, rows);
  for (let l = 0; l < rows; l++) {
    for (let i = 0; i < rows; i++) among.data[i + l * rows] = spread.data[lines[i] + l * n];
    for (let i = 0; i < n; i++) variances[i] -= 2 * carried.data[i + l * n] * spread.data[i + l * n];
  }
  addProductDiagonal(variances, multiply(carried, among, { into: workspace.take('through', n, rows) }), carried, 1);
}

/** D_j A_jᵀ = Σ_t ψ_tj K_t A_jᵀ, n × N_j; null when every ψ is 0. */
function specificCovariance(
  { kernels, trials, lineCount: n }: SeriesData,
  specific: Matrix,
  j: number,
  workspace: SeriesWorkspace,
): Matrix | null {
  const { lines } = trials[j];
  let result: Matrix | null = null;
  for (const [t, { matrix }] of kernels.entries()) {
    const variance = specific.data[j + t * specific.rows];
    if (variance === 0) continue;
    result ??= workspace.take('specific', n, lines.length);
    for (let l = 0; l < lines.length; l++) {
      if (matrix === null) result.data[lines[l] + l * n] += variance;
      else for (let i = 0; i < n; i++) result.data[i + l * n] += variance * matrix.data[i + lines[l] * n];
    }
  }
  return result;
}

/** Null without factors. */
function spreadOfFactors(
  { lineCount: n, trials }: SeriesData,
  { parameters, inverse }: SeriesPoint,
  j: number,
  workspace: SeriesWorkspace,
): Spread | null {
  const { loadings, kernelOf } = parameters;
  if (kernelOf.length === 0) return null;
  const { lines } = trials[j];
  const diagonal = new Float64Array(n);
  const ofRecords = workspace.take('spread', n, lines.length);
  for (let a = 0; a < kernelOf.length; a++) {
    for (let b = 0; b < kernelOf.length; b++) {
      const factor = loadings.data[j + a * loadings.rows] * loadings.data[j + b * loadings.rows];
      if (factor === 0) continue;
      const place = (line: number): number => a * n + (b * n + line) * inverse.rows;
      for (let i = 0; i < n; i++) diagonal[i] += factor * inverse.data[place(i) + i];
      for (const [l, line] of lines.entries()) {
        const from = place(line);
        for (let i = 0; i < n; i++) ofRecords.data[i + l * n] += factor * inverse.data[from + i];
      }
    }
  }
  return { diagonal, ofRecords };
}

/** The mean of the effects over all environments. */
function createOverall(
  data: SeriesData,
  fit: SeriesFit,
  withCovariance: boolean,
): { add(own: Environment, j: number): void; describe(): SeriesPredictions['overall'] } {
  const { lineCount: n, trials, columns } = data;
  const { parameters, point } = fit;
  const { loadings, kernelOf } = parameters;
  const e = trials.length;
  const effects = new Float64Array(n);
  const variances = new Float64Array(n);
  const covariance = withCovariance ? createMatrix(n, n) : null;
  const design = createMatrix(n, columns[e]);
  /** How the factors enter the mean: n × Pn. */
  const through = createMatrix(n, kernelOf.length * n);
  return {
    add(own, j): void {
      for (let i = 0; i < n; i++) effects[i] += own.effects[i] / e;
      for (let k = 0; k < design.data.length; k++) design.data[k] += own.design.data[k] / e;
      for (let p = 0; p < kernelOf.length; p++) {
        const loading = loadings.data[j + p * e] / e;
        for (let i = 0; i < n; i++) through.data[i + (p * n + i) * n] += loading;
        if (own.carried === null) continue;
        for (const [l, line] of trials[j].lines.entries()) {
          const to = (p * n + line) * n;
          for (let i = 0; i < n; i++) through.data[to + i] -= loading * own.carried.data[i + l * n];
        }
      }
      if (own.carried !== null && own.specific !== null) {
        addSpecificVariances(variances, data, parameters.specific, j, own.carried, own.specific, 1 / (e * e));
        if (covariance !== null) {
          addSpecificKernels(covariance, data, { specific: parameters.specific, j, factor: 1 / (e * e) });
          multiply(own.carried, own.specific, { transposeB: true, alpha: -1 / (e * e), beta: 1, into: covariance });
        }
      }
    },
    describe() {
      for (let first = 0; first < through.columns; first += PANEL) {
        const count = Math.min(PANEL, through.columns - first);
        const product = multiply(through, columnBlock(point.inverse, first, count));
        const block = columnBlock(through, first, count);
        addProductDiagonal(variances, product, block, 1);
        if (covariance !== null) multiply(product, block, { transposeB: true, beta: 1, into: covariance });
      }
      const ofDesign = multiply(design, point.fixedCovariance);
      addProductDiagonal(variances, ofDesign, design, 1);
      if (covariance !== null) multiply(ofDesign, design, { transposeB: true, beta: 1, into: covariance });
      const every = Array.from(trials.keys());
      const shifted = shiftedVariance(data, parameters, every);
      const errors = variances.map((value) => Math.max(0, value - shifted));
      if (covariance !== null) for (let k = 0; k < covariance.data.length; k++) covariance.data[k] -= shifted;
      return { ...describe(effects, errors, effectVariances(data, fit, every)), errorCovariance: covariance };
    },
  };
}

/** Variance of the mean effect over some environments, n values. */
function effectVariances(
  { kernels, lineCount: n }: SeriesData,
  fit: SeriesFit,
  among: readonly number[],
): Float64Array {
  const variances = new Float64Array(n);
  for (const [t, { diagonal }] of kernels.entries()) {
    const variance = meanOf(fit.covariances[t], among);
    for (let i = 0; i < n; i++) variances[i] += variance * diagonal[i];
  }
  return variances;
}

/** What the constants that were added to kernels add to the variance of a mean effect. */
function shiftedVariance({ kernels }: SeriesData, parameters: SeriesParameters, among: readonly number[]): number {
  return kernels.reduce(
    (sum, { shift }, t) => sum + (shift === 0 ? 0 : shift * meanOf(covarianceOf(parameters, t), among)),
    0,
  );
}

/** Mean of the elements of some rows and columns. */
function meanOf({ data, rows }: Matrix, among: readonly number[]): number {
  let sum = 0;
  for (const j of among) for (const l of among) sum += data[j + l * rows];
  return sum / among.length ** 2;
}

/** 1 − v̄ of differences of predicted effects / v̄ of differences of effects, among the lines of an environment. */
function realisedHeritability(data: SeriesData, fit: SeriesFit, own: Environment, j: number): number | null {
  const { kernels, trials } = data;
  const firstRecord = new Map<number, number>();
  for (const [record, line] of trials[j].lines.entries()) if (!firstRecord.has(line)) firstRecord.set(line, record);
  const m = firstRecord.size;
  const lines = Int32Array.from(firstRecord.keys());
  let effectSpread = 0;
  for (const [t, { matrix, diagonal }] of kernels.entries()) {
    const variance = fit.covariances[t].data[j * (trials.length + 1)];
    let sum = 0;
    if (matrix === null) sum = m;
    else for (const a of lines) for (const b of lines) sum += matrix.data[a + b * matrix.rows] - kernels[t].shift;
    const trace = lines.reduce((total, line) => total + diagonal[line], 0);
    effectSpread += variance * (trace - sum / m);
  }
  if (!(m > 1 && effectSpread > 0)) return null;
  const errors = own.errorVariances;
  const trace = lines.reduce((total, line) => total + errors[line], 0);
  return 1 - (trace - errorVarianceOfSum(data, fit, own, j, firstRecord) / m) / effectSpread;
}

/** The variance, given the data, of the sum of the effects of an environment's lines. */
function errorVarianceOfSum(
  data: SeriesData,
  { parameters, point }: SeriesFit,
  { carried, specific, spread, design }: Environment,
  j: number,
  firstRecord: ReadonlyMap<number, number>,
): number {
  const n = data.lineCount;
  const through = new Float64Array(n);
  for (const line of firstRecord.keys()) through[line] = 1;
  let variance = 0;
  if (carried !== null && specific !== null) {
    // 1ᵀD1 − (D1)ᵀAᵀWA(D1), and (I − E)ᵀ1.
    for (const record of data.trials[j].lines.keys()) {
      let product = 0;
      let weight = 0;
      for (const line of firstRecord.keys()) {
        product += specific.data[line + record * n];
        weight += carried.data[line + record * n];
      }
      if (firstRecord.get(data.trials[j].lines[record]) === record) variance += product;
      variance -= product * weight;
      through[data.trials[j].lines[record]] -= weight;
    }
  }
  if (spread !== null) {
    for (const [line, record] of firstRecord) {
      for (const other of firstRecord.keys()) {
        variance += through[other] * spread.ofRecords.data[other + record * n] * through[line];
      }
    }
  }
  const q = design.columns;
  const sums = new Float64Array(q);
  for (let c = 0; c < q; c++) for (const line of firstRecord.keys()) sums[c] += design.data[line + c * n];
  for (let c = 0; c < q; c++) {
    for (let d = 0; d < q; d++) variance += sums[c] * point.fixedCovariance.data[c + d * q] * sums[d];
  }
  return variance - firstRecord.size ** 2 * shiftedVariance(data, parameters, [j]);
}

/** Diagonal of a kernel as the model uses it. */
function usedDiagonal({ matrix, diagonal }: SeriesKernel, i: number): number {
  return matrix === null ? diagonal[i] : matrix.data[i * (matrix.rows + 1)];
}

/** Adds a multiple of the diagonal of A Bᵀ. */
function addProductDiagonal(sums: Float64Array, a: Matrix, b: Matrix, factor: number): void {
  for (let c = 0; c < a.columns; c++) {
    for (let i = 0; i < a.rows; i++) sums[i] += factor * a.data[i + c * a.rows] * b.data[i + c * a.rows];
  }
}
