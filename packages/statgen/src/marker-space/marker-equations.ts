import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyLogDeterminant,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import {
  createErrorContrasts,
  type ErrorContrasts,
  logVolume,
  orthonormalColumns,
} from '../mixed-model/error-contrasts.ts';
import { MINIMUM_INDIVIDUALS, requireUsableTrait } from '../mixed-model/fit-reml.ts';
import type { ProfilePoint } from '../mixed-model/reml-profile.ts';
import { StatgenError } from '../statgen-error.ts';
import { type CrossProducts, weightedDosages } from './dosage-products.ts';
import type { PackedMarkers } from './packed-markers.ts';

/** The kinship K = ZZ'/divisor, Z = (dosage − centre)·scale, of the markers kept. */
export interface MarkerKinship {
  method: 'vanraden1' | 'standardized';
  centre: Float64Array;
  scale: Float64Array;
  divisor: number;
}

/**
 * Coding and divisor of a kinship; see `KinshipMethod`.
 *
 * @param centre ploidy × p of each marker; by default among the individuals of the filter
 */
export function markerKinship(
  { m, ploidy, meanDosage }: PackedMarkers,
  method: MarkerKinship['method'],
  centre: Float64Array = meanDosage,
): MarkerKinship {
  const variances = centre.map((mean) => mean * (1 - mean / ploidy));
  return {
    method,
    centre,
    scale:
      method === 'vanraden1'
        ? new Float64Array(m).fill(1)
        : variances.map((variance) => (variance > 0 ? 1 / Math.sqrt(variance) : 0)),
    divisor: method === 'vanraden1' ? variances.reduce((sum, value) => sum + value, 0) : Math.max(1, m - 1),
  };
}

export interface MarkerEquationOptions {
  /** With errors, `weighMarkers`, traits and fixed effects are divided by them too. */
  markers: PackedMarkers;
  kinship: MarkerKinship;
  /** Panel positions of the individuals analysed; null for all. */
  individuals: Int32Array | null;
  /** D'D of these individuals. */
  products: CrossProducts;
  /** n × c fixed effects, intercept first. */
  x: Matrix;
  /** n values each, none missing. */
  traits: readonly Float64Array[];
}

/**
 * The mixed-model equations of markers free of the fixed effects: C = Z̃'Z̃ and z = Z̃'ỹ, ~ meaning projected on the
 * error contrasts of X (Strandén & Garrick 2009, J Dairy Sci 92:2971; Henderson 1977). With A = C + λI, λ = σ²e/σ²u:
 *
 * - y'Py·σ²e = ỹ'ỹ − z'A⁻¹z and log|V| = log|A| − m·log λ + (n − c)·log σ²e among the contrasts;
 * - û = A⁻¹z, PEV(û) = σ²e·A⁻¹.
 *
 * Centring and fixed effects are corrections of rank c of the raw D'D, S(D'D − G'G)S with G = Q'D, X = QR.
 */
export interface MarkerEquations {
  readonly m: number;
  readonly n: number;
  /** Error contrasts, n − c. */
  readonly order: number;
  readonly contrasts: ErrorContrasts;
  /** The log density of the contrasts of the values themselves, less that of the values divided by their errors. */
  readonly logShift: number;
  readonly kinship: MarkerKinship;
  /** Mean eigenvalue of the kinship among the contrasts. */
  readonly meanEigenvalue: number;
  /** Diagonal of C. */
  readonly diagonal: Float64Array;
  /** Frobenius norm of C over the divisor: an upper bound of the largest eigenvalue of the kinship. */
  readonly norm: number;
  /** m × t: Z̃'ỹ of each trait. */
  readonly z: Matrix;
  /** ỹ'ỹ of each trait. */
  readonly squares: Float64Array;
  /** m × c: Z'Q with Z centred, for covariances of the fixed effects. */
  readonly fixedProducts: Matrix;
  /** Coefficients of X of a trait by generalised least squares, R⁻¹Q'(y − Zu), from its marker effects u. */
  coefficients(trait: number, u: Float64Array): Float64Array;
  /** A copy of C, its lower triangle. */
  product(): Matrix;
  /** The Cholesky factor of C + λI; the next call overwrites it. */
  factor(lambda: number): CholeskyFactor;
  /** The same of I + φC; the next call of either overwrites it. */
  scaledFactor(phi: number): CholeskyFactor;
  /** C·v; O(m²). */
  times(v: Float64Array): Float64Array;
  /** Columns `first` … `first + count − 1` of C. */
  columns(first: number, count: number): Matrix;
  /** At δ = σ²e/σ²g on the scale of the kinship. */
  evaluate(logDelta: number): ProfilePoint;
}

/** Fixed effects and traits of some individuals, divided by the errors where they are known. */
export interface ProjectedTraits {
  contrasts: ErrorContrasts;
  /** As in `MarkerEquations`. */
  logShift: number;
  /** The column of ones of X. */
  ones: Float64Array;
  traits: readonly Float64Array[];
  /** n × c, orthonormal columns of X. */
  q: Matrix;
  /** Of each trait: (I − QQ')y and its sum of squares. */
  residuals: { values: Float64Array; square: number }[];
  /** n × (c + t): Q beside the residuals. */
  weights: Matrix;
}

/**
 * @param errors variances of the errors of the n values; null for values that weigh alike
 * @throws StatgenError `too-few-individuals`, `collinear-fixed-effects`, `constant-trait`, `not-finite`,
 * `shape-mismatch`
 */
export function projectTraits(
  n: number,
  x: Matrix,
  traits: readonly Float64Array[],
  errors: Float64Array | null,
): ProjectedTraits {
  if (x.rows !== n || traits.some((y) => y.length !== n)) {
    throw new StatgenError('shape-mismatch', `${n} individuals are analysed, the fixed effects have ${x.rows}`, { n });
  }
  if (n < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `variance components need at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  const factors = new Float64Array(n).fill(1);
  for (const [i, variance] of errors?.entries() ?? []) factors[i] = 1 / Math.sqrt(variance);
  const divided = errors === null ? x : matrixOf(n, x.columns, x.data.slice(0, n * x.columns));
  if (errors !== null) for (let k = 0; k < n * x.columns; k++) divided.data[k] *= factors[k % n];
  const contrasts = createErrorContrasts(divided);
  const q = orthonormalColumns(divided, contrasts);
  const residuals = traits.map((y) => residualOf(q, y, factors));
  const weights = createMatrix(n, x.columns + traits.length);
  weights.data.set(q.data);
  for (const [t, { values }] of residuals.entries()) weights.data.set(values, (x.columns + t) * n);
  const logShift =
    errors === null
      ? 0
      : factors.reduce((sum, factor) => sum + Math.log(factor), 0) +
        logVolume(createErrorContrasts(x)) -
        logVolume(contrasts);
  return {
    ...{ contrasts, logShift, ones: factors, q, residuals, weights },
    traits: errors === null ? traits : traits.map((y) => y.map((value, i) => value * factors[i])),
  };
}

/** The known errors of some individuals; null where markers are not divided by any. */
export function errorsAmong({ errors }: PackedMarkers, individuals: Int32Array | null): Float64Array | null {
  if (errors === undefined) return null;
  return individuals === null ? errors : Float64Array.from(individuals, (i) => errors[i]);
}

/** A trait of which less than this share of the squares is left by the fixed effects is explained by them. */
const CONSTANT_SHARE = 1e-13;

/**
 * Equations of some individuals. Memory: the m × m doubles of one factor, beside the products given.
 *
 * @throws StatgenError `too-few-individuals`, `collinear-fixed-effects`, `constant-trait`, `not-finite`,
 *   `shape-mismatch`
 */
export function createMarkerEquations(
  options: MarkerEquationOptions,
  scratch: Float64Array = new Float64Array(options.markers.m ** 2),
): MarkerEquations {
  const { markers, kinship, individuals, products, x, traits } = options;
  const { m } = markers;
  const n = individuals?.length ?? markers.panelSize;
  const projection = projectTraits(n, x, traits, errorsAmong(markers, individuals));
  const { contrasts, q, ones, residuals, weights } = projection;
  const c = x.columns;
  const sums = weightedDosages(markers, individuals, weights);
  const { scale, centre, divisor } = kinship;
  for (let k = 0; k < sums.columns; k++) {
    for (let j = 0; j < m; j++) sums.data[j + k * m] *= scale[j];
  }
  const projected = matrixOf(m, c, sums.data.subarray(0, m * c));
  const z = matrixOf(m, traits.length, sums.data.subarray(m * c));
  const order = n - c;
  const matrix = matrixOf(m, m, scratch);
  const { diagonal, square } = fillAndMeasure(matrix, products, scale, projected);
  const trace = diagonal.reduce((sum, value) => sum + value, 0);
  const whole = diagonal.reduce((sum, value, j) => {
    let explained = 0;
    for (let k = 1; k < c; k++) explained += projected.data[j + k * m] ** 2;
    return sum + value + explained;
  }, 0);
  const meanEigenvalue = trace > ROUNDING * whole ? trace / divisor / order : 0;

  const factor = (lambda: number): CholeskyFactor => {
    fill(matrix, products, scale, projected);
    for (let j = 0; j < m; j++) matrix.data[j + j * m] += lambda;
    return choleskyInPlace(matrix);
  };
  const fixedProducts = centredProducts(projected, { q, ones }, centre, scale);
  return {
    m,
    n,
    order,
    contrasts,
    logShift: projection.logShift,
    kinship,
    meanEigenvalue,
    diagonal,
    norm: Math.sqrt(square) / divisor,
    z,
    squares: Float64Array.from(residuals, ({ square: own }) => own),
    fixedProducts,
    coefficients: (trait, u) => solveFixed(contrasts, q, projection.traits[trait], fixedProducts, u),
    product() {
      const copy = createMatrix(m, m);
      fill(copy, products, scale, projected);
      return copy;
    },
    factor,
    scaledFactor(phi) {
      fill(matrix, products, scale, projected);
      for (let k = 0; k < m * m; k++) matrix.data[k] *= phi;
      for (let j = 0; j < m; j++) matrix.data[j + j * m] += 1;
      return choleskyInPlace(matrix);
    },
    times(v) {
      const image = symmetricTimes(
        products,
        v.map((value, j) => value * scale[j]),
      );
      for (let j = 0; j < m; j++) image[j] *= scale[j];
      for (let k = 0; k < c; k++) {
        let dot = 0;
        for (let j = 0; j < m; j++) dot += projected.data[j + k * m] * v[j];
        for (let j = 0; j < m; j++) image[j] -= dot * projected.data[j + k * m];
      }
      return image;
    },
    columns(first, count) {
      const part = createMatrix(m, count);
      const rows = createMatrix(count, c);
      for (let column = 0; column < count; column++) {
        const j = first + column;
        for (let i = 0; i < m; i++) {
          part.data[i + column * m] = products[Math.max(i, j) + Math.min(i, j) * m] * scale[i] * scale[j];
        }
        for (let k = 0; k < c; k++) rows.data[column + k * count] = projected.data[j + k * m];
      }
      return multiply(projected, rows, { transposeB: true, alpha: -1, beta: 1, into: part });
    },
    evaluate(logDelta) {
      const delta = Math.exp(logDelta);
      const lower = factor(divisor * delta);
      const half = matrixOf(m, z.columns, z.data.slice(0, m * z.columns));
      solveLowerInPlace(lower.lower, half);
      return {
        logDeterminant: choleskyLogDeterminant(lower) - m * Math.log(divisor) + (order - m) * logDelta,
        quadratics: residuals.map(({ square: own }, t) => (own - squaredLength(half, t)) / delta),
      };
    },
  };
}

/** If less than this share of the kinship's trace remains after the fixed effects, it is rounding error. */
export const ROUNDING = 1e-12;

function squaredLength({ rows, data }: Matrix, column: number): number {
  let sum = 0;
  for (let i = column * rows; i < (column + 1) * rows; i++) sum += data[i] * data[i];
  return sum;
}

/** (I − QQ')y of a trait times `factors`; the mean goes first, so that a large shift costs no digits. */
function residualOf(q: Matrix, y: Float64Array, factors: Float64Array): { values: Float64Array; square: number } {
  requireUsableTrait(y);
  const n = y.length;
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const values = y.map((value, i) => (value - mean) * factors[i]);
  const all = values.reduce((sum, value) => sum + value * value, 0);
  // Twice, for the digits of a trait that the fixed effects nearly explain.
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < q.columns; k++) {
      let dot = 0;
      for (let i = 0; i < n; i++) dot += q.data[i + k * n] * values[i];
      for (let i = 0; i < n; i++) values[i] -= dot * q.data[i + k * n];
    }
  }
  const square = values.reduce((sum, value) => sum + value * value, 0);
  if (!(square > CONSTANT_SHARE * all)) {
    throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n });
  }
  return { values, square };
}

/** R⁻¹Q'(y − Fu), X = QR, from F'Q. */
export function solveFixed(
  { r }: ErrorContrasts,
  q: Matrix,
  y: Float64Array,
  products: Matrix,
  u: Float64Array,
): Float64Array {
  const c = q.columns;
  const b = new Float64Array(c);
  for (let k = 0; k < c; k++) {
    for (let i = 0; i < q.rows; i++) b[k] += q.data[i + k * q.rows] * y[i];
    for (let j = 0; j < u.length; j++) b[k] -= products.data[j + k * u.length] * u[j];
  }
  for (let k = c - 1; k >= 0; k--) {
    for (let j = k + 1; j < c; j++) b[k] -= r.data[k + j * c] * b[j];
    b[k] /= r.data[k + k * c];
  }
  return b;
}

/** Z'Q of centred dosages: Q'1 times the centre is subtracted from the raw sums. */
function centredProducts(
  projected: Matrix,
  { q, ones }: Pick<ProjectedTraits, 'q' | 'ones'>,
  centre: Float64Array,
  scale: Float64Array,
): Matrix {
  const m = projected.rows;
  const centred = createMatrix(m, q.columns);
  for (let k = 0; k < q.columns; k++) {
    let sum = 0;
    for (let i = 0; i < q.rows; i++) sum += q.data[i + k * q.rows] * ones[i];
    for (let j = 0; j < m; j++) centred.data[j + k * m] = projected.data[j + k * m] - sum * centre[j] * scale[j];
  }
  return centred;
}

/** A·v of a symmetric matrix given by its lower triangle. */
function symmetricTimes(lower: CrossProducts, v: Float64Array): Float64Array {
  const m = v.length;
  const image = new Float64Array(m);
  for (let j = 0; j < m; j++) {
    const column = lower.subarray(j * m, (j + 1) * m);
    let sum = column[j] * v[j];
    for (let i = j + 1; i < m; i++) {
      sum += column[i] * v[i];
      image[i] += column[i] * v[j];
    }
    image[j] += sum;
  }
  return image;
}

/** S(D'D)S − GG' into the lower triangle, G already scaled. */
function fill(matrix: Matrix, products: CrossProducts, scale: Float64Array, projected: Matrix): void {
  const m = matrix.rows;
  for (let j = 0; j < m; j++) {
    const to = matrix.data.subarray(j * m, (j + 1) * m);
    const column = products.subarray(j * m, (j + 1) * m);
    if (column instanceof Float32Array) scaleSingle(column, scale, j, to);
    else scaleDouble(column, scale, j, to);
  }
  addOuterProduct(matrix, projected, -1);
}

function scaleSingle(column: Float32Array, scale: Float64Array, j: number, to: Float64Array): void {
  const own = scale[j];
  for (let i = j; i < to.length; i++) to[i] = column[i] * scale[i] * own;
}

function scaleDouble(column: Float64Array, scale: Float64Array, j: number, to: Float64Array): void {
  const own = scale[j];
  for (let i = j; i < to.length; i++) to[i] = column[i] * scale[i] * own;
}

function fillAndMeasure(matrix: Matrix, products: CrossProducts, scale: Float64Array, projected: Matrix) {
  fill(matrix, products, scale, projected);
  const m = matrix.rows;
  const diagonal = Float64Array.from({ length: m }, (_, j) => Math.max(0, matrix.data[j + j * m]));
  let square = 0;
  for (let j = 0; j < m; j++) {
    square += diagonal[j] ** 2 + 2 * squaresBelow(matrix.data.subarray(j * m, (j + 1) * m), j);
  }
  return { diagonal, square };
}

function squaresBelow(column: Float64Array, j: number): number {
  let sum = 0;
  for (let i = j + 1; i < column.length; i++) sum += column[i] * column[i];
  return sum;
}

/** Solves A·X = B with a factor, for few columns, without changing B. */
export function solveWith({ lower }: CholeskyFactor, b: Matrix): Matrix {
  const solution = matrixOf(b.rows, b.columns, b.data.slice(0, b.rows * b.columns));
  solveLowerInPlace(lower, solution);
  solveLowerInPlace(lower, solution, { transposed: true });
  return solution;
}

/** B'·A⁻¹·B with a factor of A. */
export function inverseForm({ lower }: CholeskyFactor, b: Matrix): Matrix {
  const half = matrixOf(b.rows, b.columns, b.data.slice(0, b.rows * b.columns));
  solveLowerInPlace(lower, half);
  return multiply(half, half, { transposeA: true });
}
