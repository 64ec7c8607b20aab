import { choleskyInPlace, choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { type CovarianceShape, factorAnalytic, factorFrom, unstructured } from './covariance-shapes.ts';
import { type CovarianceSearch, searchCovariances } from './search-covariances.ts';
import { type Flat, factorSmall, lowerPlaces } from './small-covariances.ts';
import { evaluateTraits, type TraitCovariances, type TraitPoint } from './trait-likelihood.ts';
import type { TraitRecords } from './trait-records.ts';

/** An estimate with its standard error; null where there is none. */
export interface Estimate {
  value: number;
  se: number | null;
}

export interface TraitsFit {
  records: TraitRecords;
  /** At the maximum, of the scaled records. */
  point: TraitPoint;
  /** G, t rows of t, on the scale of traits and kinship. */
  genetic: number[][];
  residual: number[][];
  /** Standard errors of G and R by average information; null at a boundary and without convergence. */
  standardErrors: { genetic: number[][]; residual: number[][] } | null;
  /**
   * 1 without error on the diagonal; NaN where a variance is 0, and for residuals of traits that no line has both of,
   * whose covariance is 0.
   */
  geneticCorrelation: Estimate[][];
  residualCorrelation: Estimate[][];
  /** By trait: covariance of G_tt and R_tt; null as above. */
  componentCovariances: (number[][] | null)[];
  /** −½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy]. */
  logLikelihood: number;
  /** With ½ Σ log|X_tᵀX_t| added: the log density of the error contrasts, as GEMMA prints it. */
  contrastLogLikelihood: number;
  /** b̂ of each trait. */
  coefficients: Float64Array[];
  /** Their standard errors. */
  fixedErrors: Float64Array[];
  /** Log-likelihoods of the starts, best first. */
  starts: number[];
  iterations: number;
  isConverged: boolean;
  /** `genetic`: G has not full rank; `residual`: a residual variance ended at its least value. */
  atBoundary: ('genetic' | 'residual')[];
  /** Of a factor-analytic G = ΛΛᵀ + Ψ, Λ by trait with zeros above its diagonal, and the diagonal of Ψ; else null. */
  factors: { loadings: number[][]; specific: number[] } | null;
}

export interface FitTraitsOptions {
  /** Factors of a factor-analytic G; unstructured unless told. */
  factors?: number;
  /** Called after each step; may throw to stop. */
  onStep?: (iteration: number, logLikelihood: number) => void;
}

/** Share of the variance that is genetic, and whether traits begin correlated, at each start. */
const STARTS = [
  { share: 0.5, isCorrelated: true },
  { share: 0.25, isCorrelated: false },
  { share: 0.75, isCorrelated: false },
] as const;
/** Starts are followed so far; the best goes on to the end. */
const ROUGH = 1e-2;
/** Smallest eigenvalue of the genetic correlations of a G of full rank. */
const SINGULAR_SHARE = 1e-7;

/**
 * REML estimates of G, unstructured or factor-analytic, and R, unstructured, of y_t = X_tb_t + u_t + e_t, u ~ N(0, G ⊗
 * K), e ~ N(0, R ⊗ D): Henderson & Quaas 1976 (J Anim Sci 43:1188), with average information (Gilmour, Thompson &
 * Cullis 1995; Johnson & Thompson 1995, J Dairy Sci 78:449). Several starts; nothing depends on chance.
 *
 * @throws StatgenError `not-finite`, `bad-option` for more factors than the traits have
 */
export function fitTraits(records: TraitRecords, { factors, onStep }: FitTraitsOptions = {}): TraitsFit {
  const { traitCount: t } = records;
  const shape = factors === undefined ? unstructured(t) : factorAnalytic(t, factors);
  const options = onStep === undefined ? {} : { onStep };
  const rough = STARTS.map(({ share, isCorrelated }) =>
    searchCovariances(records, startOf(records, share, isCorrelated), shape, { ...options, tolerance: ROUGH }),
  ).sort((a, b) => b.point.logLikelihood - a.point.logLikelihood);
  const [best] = rough;
  const end = searchCovariances(records, best.entries, shape, options);
  const iterations = end.iterations + rough.reduce((sum, search) => sum + search.iterations, 0);
  return summarized(records, end, {
    shape,
    iterations,
    starts: rough.map(({ point }) => point.logLikelihood - scaling(records)),
  });
}

/**
 * The same at given G and R, on the scale of traits and kinship: for records that were added to those from which they
 * were estimated. Null where they make no covariance.
 */
export function traitsAt(records: TraitRecords, genetic: number[][], residual: number[][]): TraitPoint | null {
  const { scales, kernelScale } = records;
  const scaled = (matrix: number[][], factor: number): Flat =>
    Float64Array.from(matrix.flatMap((row, s) => row.map((value, r) => (factor * value) / (scales[s] * scales[r]))));
  return evaluateTraits(records, { genetic: scaled(genetic, kernelScale), residual: scaled(residual, 1) });
}

function startOf({ spread, traitCount: t }: TraitRecords, share: number, isCorrelated: boolean): TraitCovariances {
  const isUsable = isCorrelated && factorSmall(spread, t) !== null;
  const matrix = isUsable ? spread : spread.map((_, k) => Number(k % (t + 1) === 0));
  return { genetic: matrix.map((value) => share * value), residual: matrix.map((value) => (1 - share) * value) };
}

/** What scaled values add to −ℓ: Σ (N_t − c_t) log s_t, and ½ log|D|. */
export function scaling({ scales, missing, lineCount, firstFixed, logWeights }: TraitRecords): number {
  let sum = 0.5 * logWeights;
  for (const [t, scale] of scales.entries()) {
    sum += (lineCount - missing[t].length - (firstFixed[t + 1] - firstFixed[t])) * Math.log(scale);
  }
  return sum;
}

function summarized(
  records: TraitRecords,
  search: CovarianceSearch,
  { shape, iterations, starts }: Pick<TraitsFit, 'iterations' | 'starts'> & { shape: CovarianceShape },
): TraitsFit {
  const { traitCount: t, scales, kernelScale, firstFixed } = records;
  const { point, isConverged, isResidualAtBound } = search;
  const { genetic, residual } = point.covariances;
  const isSingular = !isFullRank(genetic, t);
  const atBoundary: TraitsFit['atBoundary'] = [
    ...(isSingular ? (['genetic'] as const) : []),
    ...(isResidualAtBound ? (['residual'] as const) : []),
  ];
  const half = lowerPlaces(t).length;
  const isUnknown = (s: number, r: number): boolean => records.together[s * t + r] === 0;
  const known = Array.from({ length: 2 * half }, (_, k) => {
    const [row, column] = lowerPlaces(t)[k % half];
    return k < half || !isUnknown(row, column);
  });
  const covariance = isConverged && atBoundary.length === 0 ? entryCovariance(search, shape, known) : null;
  const logLikelihood = point.logLikelihood - scaling(records);
  const placeOf = lowerPlaceOf(t);
  const unit = (side: number, s: number, r: number): number => (scales[s] * scales[r]) / (side === 0 ? kernelScale : 1);
  const table = (of: (s: number, r: number) => number): number[][] =>
    Array.from({ length: t }, (_, s) => Array.from({ length: t }, (__, r) => of(s, r)));
  const errors = (side: number): number[][] =>
    table((s, r) => {
      const k = side * half + placeOf(s, r);
      return unit(side, s, r) * Math.sqrt(covariance?.data[k + k * 2 * half] ?? Number.NaN);
    });
  const coefficientsOf = (of: (c: number) => number): Float64Array[] =>
    Array.from({ length: t }, (_, s) =>
      Float64Array.from({ length: firstFixed[s + 1] - firstFixed[s] }, (__, c) => scales[s] * of(firstFixed[s] + c)),
    );
  const q = records.fixedCount;
  return {
    ...{ records, point, logLikelihood, starts, iterations, isConverged, atBoundary },
    factors: factorsOf(search, shape, records),
    genetic: table((s, r) => unit(0, s, r) * genetic[s * t + r]),
    residual: table((s, r) => (isUnknown(s, r) ? 0 : unit(1, s, r) * residual[s * t + r])),
    standardErrors: covariance === null ? null : { genetic: errors(0), residual: errors(1) },
    geneticCorrelation: correlations(genetic, t, covariance, 0),
    residualCorrelation: correlations(residual, t, covariance, half).map((row, s) =>
      row.map((estimate, r) => (isUnknown(s, r) ? { value: Number.NaN, se: null } : estimate)),
    ),
    componentCovariances: Array.from({ length: t }, (_, s) => {
      if (covariance === null) return null;
      const k = [placeOf(s, s), half + placeOf(s, s)];
      return k.map((a, x) => k.map((b, y) => unit(x, s, s) * unit(y, s, s) * covariance.data[a + b * 2 * half]));
    }),
    contrastLogLikelihood: logLikelihood + records.logVolume,
    coefficients: coefficientsOf((c) => point.coefficients[c]),
    fixedErrors: coefficientsOf((c) => Math.sqrt(point.fixedCovariance.data[c + c * q])),
  };
}

/**
 * Covariance of the entries of G and R by average information, over those known, NaN for others; of a factor-analytic G
 * that of its parameters, taken over to its entries, a specific variance at 0 being known. Null where the information
 * is singular to working precision.
 */
function entryCovariance(
  { scores: { information }, jacobian, entries, point }: CovarianceSearch,
  { factors, places }: CovarianceShape,
  known: readonly boolean[],
): Matrix | null {
  if (factors === null) return inverseInformation(information, known);
  const all = information.rows;
  const half = all / 2;
  const { genetic } = point.covariances;
  const t = Math.round(Math.sqrt(genetic.length));
  // Entries of the factor of G, then those of R itself.
  const size = places.length + half;
  const taken = createMatrix(all, size);
  taken.data.set(jacobian.data.subarray(0, all * places.length));
  for (let k = 0; k < half; k++) taken.data[half + k + (places.length + k) * all] = 1;
  const isFree = Array.from({ length: size }, (_, k) => {
    if (k >= places.length) return known[half + k - places.length];
    const [row, column] = places[k];
    return column < factors || entries[k] ** 2 > SINGULAR_SHARE * genetic[row * (t + 1)];
  });
  const ofParameters = multiply(taken, multiply(information, taken), { transposeA: true });
  const inverse = inverseInformation(ofParameters, isFree);
  if (inverse === null) return null;
  const kept = inverse.data.map((value) => (Number.isNaN(value) ? 0 : value));
  const covariance = multiply(multiply(taken, { rows: size, columns: size, data: kept }), taken, { transposeB: true });
  for (let j = 0; j < all; j++)
    for (let i = 0; i < all; i++) if (!known[i] || !known[j]) covariance.data[i + j * all] = Number.NaN;
  return covariance;
}

/** Λ, its columns with the sign of their sum, and Ψ on the scale of traits and kinship; null for an unstructured G. */
function factorsOf(
  { entries, point }: CovarianceSearch,
  shape: CovarianceShape,
  { traitCount: t, scales, kernelScale }: TraitRecords,
): TraitsFit['factors'] {
  const { factors, columns } = shape;
  if (factors === null) return null;
  const factor = factorFrom(entries, t, shape);
  const loadings = Array.from(scales, (scale, s) =>
    Array.from({ length: factors }, (_, f) => (scale / Math.sqrt(kernelScale)) * factor[s * columns + f]),
  );
  const signs = Array.from({ length: factors }, (_, f) =>
    loadings.reduce((sum, row, s) => sum + row[f] / scales[s], 0) < 0 ? -1 : 1,
  );
  return {
    loadings: loadings.map((row) => row.map((loading, f) => signs[f] * loading)),
    specific: Array.from(scales, (scale, s) => {
      const own = factor[s * columns + factors + s] ** 2;
      return own > SINGULAR_SHARE * point.covariances.genetic[s * (t + 1)] ? (scale ** 2 * own) / kernelScale : 0;
    }),
  };
}

/** Place of an entry, in any order of its traits, among the lower triangle. */
function lowerPlaceOf(t: number): (s: number, r: number) => number {
  const places = lowerPlaces(t);
  return (s, r) => places.findIndex(([row, column]) => row === Math.max(s, r) && column === Math.min(s, r));
}

function isFullRank(matrix: Flat, t: number): boolean {
  const correlation = matrix.map((value, k) => {
    const s = Math.floor(k / t);
    return value / Math.sqrt(matrix[s * (t + 1)] * matrix[(k % t) * (t + 1)]) - (s === k % t ? SINGULAR_SHARE : 0);
  });
  for (let s = 0; s < t; s++) if (!(matrix[s * (t + 1)] > SINGULAR_SHARE)) return false;
  return factorSmall(correlation, t) !== null;
}

/** Over the parameters known, NaN for others; null where the information is singular to working precision. */
function inverseInformation(all: Matrix, known: readonly boolean[]): Matrix | null {
  const places = Int32Array.from(known.keys()).filter((k) => known[k]);
  const information = selectRowsAndColumns(all, places, places);
  const { rows: size } = information;
  const lengths = Float64Array.from({ length: size }, (_, k) => Math.sqrt(information.data[k * (size + 1)]));
  const scaled = createMatrix(size, size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++)
      scaled.data[i + j * size] = information.data[i + j * size] / (lengths[i] * lengths[j]);
  }
  try {
    const inverse = choleskyInverseInPlace(choleskyInPlace(scaled));
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) inverse.data[i + j * size] /= lengths[i] * lengths[j];
    }
    const result = createMatrix(all.rows, all.rows);
    result.data.fill(Number.NaN);
    for (const [b, j] of places.entries()) {
      for (const [a, i] of places.entries()) result.data[i + j * all.rows] = inverse.data[a + b * size];
    }
    return result;
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return null;
    throw error;
  }
}

/** Correlations with standard errors by the delta method (Lynch & Walsh 1998, appendix 1). */
function correlations(matrix: Flat, t: number, covariance: Matrix | null, first: number): Estimate[][] {
  const placeOf = lowerPlaceOf(t);
  return Array.from({ length: t }, (_, s) =>
    Array.from({ length: t }, (__, r): Estimate => {
      if (s === r) return { value: 1, se: null };
      const [ofS, ofR] = [matrix[s * (t + 1)], matrix[r * (t + 1)]];
      const length = Math.sqrt(ofS * ofR);
      const value = Math.max(-1, Math.min(1, matrix[s * t + r] / length));
      if (covariance === null) return { value, se: null };
      const gradient: [number, number][] = [
        [first + placeOf(s, r), 1 / length],
        [first + placeOf(s, s), -value / (2 * ofS)],
        [first + placeOf(r, r), -value / (2 * ofR)],
      ];
      let variance = 0;
      for (const [a, da] of gradient) {
        for (const [b, db] of gradient) variance += da * db * covariance.data[a + b * covariance.rows];
      }
      return { value, se: Math.sqrt(Math.max(0, variance)) };
    }),
  );
}
