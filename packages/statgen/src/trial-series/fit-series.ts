import { createMatrix, type Matrix, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { createRandomStream } from '../random/random-stream.ts';
import { type SearchOptions, type SeriesSearch, searchSeries } from './search-series.ts';
import type { SeriesData } from './series-data.ts';
import type { SeriesKernel } from './series-kernel.ts';
import type { SeriesParameters, SeriesPoint } from './series-likelihood.ts';
import {
  nameOfStructure,
  parameterCount,
  parametersOf,
  type SeriesStructure,
  type StructuredModel,
  structureModel,
  valuesOf,
} from './series-structure.ts';

export interface SeriesFit {
  structures: readonly SeriesStructure[];
  parameters: SeriesParameters;
  point: SeriesPoint;
  /** REML with all constants. */
  logLikelihood: number;
  /** Variances and loadings, rotations of the factors taken off. */
  parameterCount: number;
  /** −2 logLikelihood + 2 parameters; compares structures, whose fixed effects are the same. */
  aic: number;
  /** Σ_g of each kernel, e × e. */
  covariances: readonly Matrix[];
  /** Trials × kernels: 1 where the specific variance ended at 0 (a Heywood case). */
  specificAtZero: Uint8Array;
  /** Log-likelihoods of all starts, best first. */
  starts: readonly number[];
  iterations: number;
  isConverged: boolean;
}

export interface FitOptions extends SearchOptions {
  /** Places from which a structure with factors is searched; the best end is kept. The larger the series, the fewer. */
  starts?: number;
}

/** Starts of series whose step takes at most so many operations; of larger ones, one. */
const STARTS: readonly [operations: number, starts: number][] = [
  [3e8, 8],
  [3e9, 4],
  [3e10, 2],
];
/** Share of the genetic variance that is common to all environments, where the search begins. */
const COMMON = 0.6;
/** Genetic variance of a trial is at least this share of the variance among its values, where the search begins. */
const LEAST_GENETIC = 0.1;
/** An end this much below the best is no longer the same optimum. */
const SAME = 1e-6;

/**
 * The multi-environment model of a series by REML, from several starts: Σ_g = ΛΛᵀ + Ψ between environments, times each
 * kernel between lines (Piepho, Möhring, Schulz-Streeck & Ogutu 2012; Smith, Cullis & Thompson 2001). Deterministic.
 * More factors start from fewer, whose fit is returned as well.
 *
 * @throws StatgenError of `structureModel` and `evaluateSeries`
 */
export function fitSeries(
  data: SeriesData,
  structures: readonly SeriesStructure[],
  options: FitOptions = {},
  before?: SeriesFit,
): SeriesFit {
  const model = structureModel(data, structures);
  const hasFactors = structures.some(({ kind }) => kind === 'fa');
  const count = hasFactors ? (options.starts ?? usualStarts(data, model)) : 1;
  let best: SeriesSearch | undefined;
  const ends: number[] = [];
  let iterations = 0;
  for (let k = 0; k < count; k++) {
    const search = searchSeries(data, model, startOf(data, model, k, before), options);
    iterations += search.iterations;
    ends.push(search.point.logLikelihood);
    if (best === undefined || search.point.logLikelihood > best.point.logLikelihood + SAME) best = search;
  }
  if (best === undefined) throw new TypeError('a fit has at least one start');
  return describeFit(data, model, best, ends, iterations);
}

function usualStarts({ trials, lineCount }: SeriesData, { kernelOf }: StructuredModel): number {
  const operations = trials.reduce((sum, { y }) => sum + 5 * y.length ** 3, 0) + (kernelOf.length * lineCount) ** 3;
  return STARTS.find(([most]) => operations <= most)?.[1] ?? 1;
}

function describeFit(
  data: SeriesData,
  model: StructuredModel,
  { point, atBound, isConverged }: SeriesSearch,
  ends: readonly number[],
  iterations: number,
): SeriesFit {
  const e = data.trials.length;
  const specificAtZero = new Uint8Array(e * data.kernels.length);
  for (const [k, { places }] of model.free.entries()) {
    for (const place of places) {
      if (place.kind === 'specific') specificAtZero[place.trial + place.kernel * e] = atBound[k];
    }
  }
  const local = data.trials.reduce((sum, { terms }) => sum + terms.length, 0);
  const count = model.structures.reduce((sum, structure) => sum + parameterCount(structure, e), local);
  const { logLikelihood } = point;
  return {
    structures: model.structures,
    parameters: point.parameters,
    point,
    logLikelihood,
    parameterCount: count,
    aic: 2 * (count - logLikelihood),
    covariances: data.kernels.map((_, kernel) => covarianceOf(point.parameters, kernel)),
    specificAtZero,
    starts: ends.toSorted((a, b) => b - a),
    iterations,
    isConverged,
  };
}

/** Σ_g = ΛΛᵀ + Ψ of a kernel, e × e. */
export function covarianceOf({ loadings, specific, kernelOf }: SeriesParameters, kernel: number): Matrix {
  const e = loadings.rows;
  const covariance = createMatrix(e, e);
  for (let j = 0; j < e; j++) {
    for (let l = 0; l < e; l++) {
      for (const [p, k] of kernelOf.entries()) {
        if (k === kernel) covariance.data[j + l * e] += loadings.data[j + p * e] * loadings.data[l + p * e];
      }
    }
    covariance.data[j + j * e] += specific.data[j + kernel * e];
  }
  return covariance;
}

/** Values of the free parameters where search `k` begins. */
function startOf(data: SeriesData, model: StructuredModel, k: number, before?: SeriesFit): Float64Array {
  const e = data.trials.length;
  const random = createRandomStream(k + 1, 'series start');
  const variances = data.trials.map((_, j) => geneticVariance(data, j));
  const parameters = parametersOf(data, model, new Float64Array(model.free.length));
  for (const [j, { terms }] of data.trials.entries()) {
    for (const [m, term] of terms.entries()) parameters.local[j][m] = before?.parameters.local[j]?.[m] ?? term.start;
  }
  const share = 1 / data.kernels.length;
  for (const [kernel, structure] of model.structures.entries()) {
    const scale = share / spreadOf(data.kernels[kernel]);
    const known = before === undefined ? null : loadingsOf(before.parameters, kernel);
    const factors = [...model.kernelOf.keys()].filter((p) => model.kernelOf[p] === kernel);
    for (let j = 0; j < e; j++) {
      const variance = variances[j] * scale;
      let specific = structure.kind === 'diag' ? variance : (1 - COMMON) * variance;
      if (before !== undefined) specific = before.parameters.specific.data[j + kernel * e];
      for (const [f, p] of factors.entries()) {
        let loading: number;
        if (known !== null && f < known.length) loading = known[f][j];
        else if (f === 0 && known === null) {
          // The first start has one sign and equal shares; others differ from it more and more.
          loading = Math.sqrt(COMMON * variance) * (1 + 0.5 * k * (random.uniform() - 0.5));
        } else {
          loading = 0.5 * Math.sqrt(variance) * random.normal();
          specific = Math.max(0.5 * specific, 0.02 * variance);
        }
        parameters.loadings.data[j + p * e] = loading;
      }
      parameters.specific.data[j + kernel * e] = specific;
    }
  }
  return valuesOf(model, parameters);
}

/** Loadings of the factors of a kernel, by factor. */
function loadingsOf({ loadings, kernelOf }: SeriesParameters, kernel: number): Float64Array[] {
  return [...kernelOf.keys()]
    .filter((p) => kernelOf[p] === kernel)
    .map((p) => loadings.data.slice(p * loadings.rows, (p + 1) * loadings.rows));
}

/** Variance among the values of a trial without that of their known errors, at least a tenth of it. */
function geneticVariance({ trials, centred }: SeriesData, j: number): number {
  const values = centred[j];
  const { omega, terms } = trials[j];
  const total = values.reduce((sum, value) => sum + value * value, 0) / (values.length - 1);
  let errors = terms.reduce((sum, { start }) => sum + start, 0);
  if (omega !== null) {
    for (let i = 0; i < values.length; i++) errors += omega.data[i * (values.length + 1)] / values.length;
  }
  return Math.max(LEAST_GENETIC * total, total - errors);
}

/** Mean variance of the effects of lines around their mean, for a variance of 1. */
function spreadOf({ matrix, diagonal, shift }: SeriesKernel): number {
  const n = diagonal.length;
  const own = diagonal.reduce((sum, value) => sum + value, 0) / n;
  if (matrix === null) return 1;
  return own - matrix.data.reduce((sum, value) => sum + value, 0) / (n * n) + shift;
}

/**
 * Loadings rotated to principal axes (Λ = UD of the singular value decomposition), by descending variance, each with a
 * sum that is not negative. The covariance is unchanged.
 */
export function rotateLoadings(loadings: Matrix): { loadings: Matrix; rotation: Matrix } {
  const { rows: e, columns: k } = loadings;
  const cross = createMatrix(k, k);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) {
      for (let j = 0; j < e; j++) cross.data[a + b * k] += loadings.data[j + a * e] * loadings.data[j + b * e];
    }
  }
  const { vectors } = symmetricEigenInPlace(cross);
  const every = Int32Array.from({ length: k }, (_, i) => i);
  const rotation = selectRowsAndColumns(vectors, every, every.toReversed());
  const rotated = createMatrix(e, k);
  for (let p = 0; p < k; p++) {
    let sum = 0;
    for (let j = 0; j < e; j++) {
      for (let a = 0; a < k; a++) rotated.data[j + p * e] += loadings.data[j + a * e] * rotation.data[a + p * k];
      sum += rotated.data[j + p * e];
    }
    if (sum < 0) {
      for (let j = 0; j < e; j++) rotated.data[j + p * e] *= -1;
      for (let a = 0; a < k; a++) rotation.data[a + p * k] *= -1;
    }
  }
  return { loadings: rotated, rotation };
}

/** A structure that was tried, for a list of alternatives. */
export interface TriedStructure {
  structure: string;
  logLikelihood: number;
  parameterCount: number;
  aic: number;
}

/**
 * The structure with the least AIC for the first kernel, among compound symmetry, one variance an environment, and
 * factors as long as one more lowers it; the other kernels keep `rest`.
 */
export function chooseStructure(
  data: SeriesData,
  rest: readonly SeriesStructure[],
  options: FitOptions = {},
): { fit: SeriesFit; tried: TriedStructure[] } {
  const e = data.trials.length;
  const tried: TriedStructure[] = [];
  const attempt = (structure: SeriesStructure, before?: SeriesFit): SeriesFit => {
    const fit = fitSeries(data, [structure, ...rest], options, before);
    const { logLikelihood, parameterCount: count, aic } = fit;
    tried.push({ structure: nameOfStructure(structure), logLikelihood, parameterCount: count, aic });
    return fit;
  };
  let best = attempt({ kind: 'cs' });
  const diagonal = attempt({ kind: 'diag' });
  if (diagonal.aic < best.aic) best = diagonal;
  let last: SeriesFit | undefined;
  // More parameters than an unstructured matrix has cannot be estimated.
  for (let factors = 1; parameterCount({ kind: 'fa', factors }, e) <= (e * (e + 1)) / 2; factors++) {
    const fit = attempt({ kind: 'fa', factors }, last);
    if (fit.aic < best.aic) best = fit;
    else if (last !== undefined && fit.aic > last.aic) break;
    last = fit;
  }
  return { fit: best, tried };
}
