import { type CholeskyFactor, choleskyInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import type { ErrorContrasts } from '../mixed-model/error-contrasts.ts';
import { type CrossProducts, crossProducts, weightedDosages } from './dosage-products.ts';
import {
  errorsAmong,
  type MarkerKinship,
  markerKinship,
  type ProjectedTraits,
  projectTraits,
  ROUNDING,
  solveFixed,
} from './marker-equations.ts';
import type { PackedMarkers } from './packed-markers.ts';

/** The additive kinship and that of dominance, both by the allele frequencies p of the individuals that define them. */
export interface DominanceKinships {
  additive: MarkerKinship;
  /** p of each marker. */
  frequencyA2: Float64Array;
  /** 1, and 0 for a marker at which everybody is heterozygous: it has no part in dominance. */
  share: Float64Array;
  /** Of the dominance kinship: Σ(2p(1 − p))². */
  divisor: number;
  /** Whether one of the individuals that define p, and not all, is heterozygous at any marker. */
  hasHeterozygotes: boolean;
}

/** @param individuals panel positions of those that define p; null for all */
export function dominanceKinships(
  markers: PackedMarkers,
  method: MarkerKinship['method'],
  individuals: Int32Array | null,
): DominanceKinships {
  const { frequencyA2, isAllHeterozygous, hasHeterozygotes } = markers.callsAmong(individuals);
  const share = Float64Array.from(isAllHeterozygous, (isAll) => 1 - isAll);
  return {
    additive: markerKinship(
      markers,
      method,
      frequencyA2.map((p) => 2 * p),
    ),
    frequencyA2,
    share,
    divisor: frequencyA2.reduce((sum, p, j) => sum + share[j] * (2 * p * (1 - p)) ** 2, 0),
    hasHeterozygotes,
  };
}

/**
 * D'D with both triangles, D = [X H]: dosages X and heterozygotes H of some individuals, 2m columns; 4n·m² operations.
 *
 * @param individuals panel positions; null for all
 */
export function dominanceProducts(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  onTile?: (done: number, total: number) => void,
): CrossProducts {
  const products = crossProducts(markers, individuals, ['copies', 'heterozygotes'], onTile);
  mirror(products, 2 * markers.m);
  return products;
}

export interface DominanceEquationOptions {
  /** As in `MarkerEquationOptions`. */
  markers: PackedMarkers;
  kinships: DominanceKinships;
  /** Panel positions of the individuals analysed; null for all. */
  individuals: Int32Array | null;
  /** Of these individuals, from `dominanceProducts`. */
  products: CrossProducts;
  /** n × c fixed effects, intercept first. */
  x: Matrix;
  /** n values each, none missing. */
  traits: readonly Float64Array[];
}

/**
 * The equations of additive and dominance effects free of the fixed effects: C = F̃'F̃ (2m × 2m) and z = F̃'ỹ
 * with F = [Z W], ~ meaning projected on the error contrasts of X. Z = (dosage − 2p)·scale is the coding of the
 * additive kinship, W = H + (2p − 1)·dosage − 2p² that of the dominance kinship (`dominanceValues`), so that F
 * is D = [X H] times 2 × 2 blocks, plus constants that the intercept takes: C follows from the raw D'D as
 * {@link MarkerEquations} do.
 */
export interface DominanceEquations {
  readonly m: number;
  readonly n: number;
  /** Error contrasts, n − c. */
  readonly order: number;
  readonly contrasts: ErrorContrasts;
  /** As in `MarkerEquations`. */
  readonly logShift: number;
  readonly kinships: DominanceKinships;
  /** Divisors of the additive and the dominance kinship. */
  readonly divisors: readonly [number, number];
  /** Mean eigenvalues of both among the contrasts; 0 for a kinship without variation. */
  readonly meanEigenvalues: readonly [number, number];
  /** 2m × t: F̃'ỹ of each trait. */
  readonly z: Matrix;
  /** ỹ'ỹ of each trait. */
  readonly squares: Float64Array;
  /** 2m × c: F'Q, X = QR, for covariances of the fixed effects. */
  readonly fixedProducts: Matrix;
  /** Diagonal of C. */
  readonly diagonal: Float64Array;
  /** Coefficients of X of a trait by generalised least squares, from the effects of its coded columns. */
  coefficients(trait: number, effects: Float64Array): Float64Array;
  /** The Cholesky factor of I + SCS, S = diag(weights); the next call overwrites it. */
  factor(weights: Float64Array): CholeskyFactor;
  /** C·v; O(m²). */
  times(v: Float64Array): Float64Array;
  /** Columns `first` … `first + count − 1` of C, 2m × count. */
  columns(first: number, count: number): Matrix;
}

/**
 * Equations of some individuals. Memory: the 2m × 2m doubles of one factor, beside the products given.
 *
 * @throws StatgenError `too-few-individuals`, `collinear-fixed-effects`, `constant-trait`, `not-finite`,
 *   `shape-mismatch`
 */
export function createDominanceEquations(
  options: DominanceEquationOptions,
  scratch: Float64Array = new Float64Array(4 * options.markers.m ** 2),
): DominanceEquations {
  const { markers, kinships, individuals, products, x, traits } = options;
  const { m } = markers;
  const n = individuals?.length ?? markers.panelSize;
  const projection = projectTraits(n, x, traits, errorsAmong(markers, individuals));
  const { contrasts, q, residuals, weights } = projection;
  const c = x.columns;
  const order = n - c;
  const rawDosages = weightedDosages(markers, individuals, weights);
  const ones = { centre: new Float64Array(m), scale: new Float64Array(m).fill(1), counted: 'heterozygotes' } as const;
  const raw = stack(rawDosages, weightedDosages(markers, individuals, weights, ones));
  const coding = codingOf(kinships);
  const coded = codeRows(raw, coding);
  const projected = matrixOf(2 * m, c, coded.data.subarray(0, 2 * m * c));
  const rawProjected = matrixOf(2 * m, c, raw.data.subarray(0, 2 * m * c));
  const fixedProducts = centredProducts(projected, projection, kinships);
  const writeColumn = createCodedColumns(products, coding);
  const diagonal = new Float64Array(2 * m);
  const column = new Float64Array(2 * m);
  for (let k = 0; k < 2 * m; k++) {
    writeColumn(k, { from: k, to: k + 1 }, column, 0);
    let sum = column[k];
    for (let j = 0; j < c; j++) sum -= projected.data[k + j * 2 * m] ** 2;
    diagonal[k] = Math.max(0, sum);
  }
  const divisors = [kinships.additive.divisor, kinships.divisor] as const;
  const meanEigenvalue = (kernel: 0 | 1): number => {
    let trace = 0;
    let whole = 0;
    for (let k = kernel * m; k < (kernel + 1) * m; k++) {
      trace += diagonal[k];
      whole += diagonal[k];
      for (let j = 0; j < c; j++) whole += fixedProducts.data[k + j * 2 * m] ** 2;
    }
    return trace > ROUNDING * whole ? trace / divisors[kernel] / order : 0;
  };
  return {
    m,
    n,
    order,
    contrasts,
    logShift: projection.logShift,
    kinships,
    divisors,
    meanEigenvalues: [meanEigenvalue(0), meanEigenvalue(1)],
    z: matrixOf(2 * m, traits.length, coded.data.subarray(2 * m * c)),
    squares: Float64Array.from(residuals, ({ square }) => square),
    fixedProducts,
    diagonal,
    coefficients: (trait, effects) => solveFixed(contrasts, q, projection.traits[trait], fixedProducts, effects),
    factor(scales) {
      const size = 2 * m;
      const matrix = matrixOf(size, size, scratch);
      for (let k = 0; k < size; k++) {
        writeColumn(k, { from: k, to: size }, matrix.data, k * size);
        for (let i = k; i < size; i++) matrix.data[i + k * size] *= scales[i] * scales[k];
      }
      addOuterProduct(matrix, scaleRows(projected, scales), -1);
      for (let k = 0; k < size; k++) matrix.data[k + k * size] += 1;
      return choleskyInPlace(matrix);
    },
    times(v) {
      const size = 2 * m;
      const uncoded = uncode(v, coding);
      const sums = rawTimes(products, uncoded);
      for (let j = 0; j < c; j++) {
        let dot = 0;
        for (let i = 0; i < size; i++) dot += rawProjected.data[i + j * size] * uncoded[i];
        for (let i = 0; i < size; i++) sums[i] -= dot * rawProjected.data[i + j * size];
      }
      return codeRows(matrixOf(size, 1, sums), coding).data;
    },
    columns(first, count) {
      const size = 2 * m;
      const part = createMatrix(size, count);
      for (let k = 0; k < count; k++) writeColumn(first + k, { from: 0, to: size }, part.data, k * size);
      const rows = createMatrix(count, c);
      for (let j = 0; j < c; j++) {
        for (let k = 0; k < count; k++) rows.data[k + j * count] = projected.data[first + k + j * size];
      }
      return multiply(projected, rows, { transposeB: true, alpha: -1, beta: 1, into: part });
    },
  };
}

/** F = D·T, T = [[diag(scale), diag(mix)], [0, diag(share)]], constants left out. */
interface FeatureCoding {
  scale: Float64Array;
  /** 2p − 1, which is 0 where everybody is heterozygous. */
  mix: Float64Array;
  share: Float64Array;
}

function codingOf({ additive, frequencyA2, share }: DominanceKinships): FeatureCoding {
  return { scale: additive.scale, mix: frequencyA2.map((p) => 2 * p - 1), share };
}

function stack(above: Matrix, below: Matrix): Matrix {
  const m = above.rows;
  const both = createMatrix(2 * m, above.columns);
  for (let k = 0; k < above.columns; k++) {
    both.data.set(above.data.subarray(k * m, (k + 1) * m), 2 * k * m);
    both.data.set(below.data.subarray(k * m, (k + 1) * m), (2 * k + 1) * m);
  }
  return both;
}

/** T'·R for sums R of raw columns. */
function codeRows(raw: Matrix, { scale, mix, share }: FeatureCoding): Matrix {
  const m = scale.length;
  const coded = createMatrix(2 * m, raw.columns);
  for (let k = 0; k < raw.columns; k++) {
    const at = 2 * k * m;
    for (let j = 0; j < m; j++) {
      const dosage = raw.data[at + j];
      coded.data[at + j] = scale[j] * dosage;
      coded.data[at + m + j] = share[j] * raw.data[at + m + j] + mix[j] * dosage;
    }
  }
  return coded;
}

/** T·v: effects per copy of A2 and per heterozygote, from those of coded columns. */
function uncode(v: Float64Array, { scale, mix, share }: FeatureCoding): Float64Array {
  const m = scale.length;
  const raw = new Float64Array(2 * m);
  for (let j = 0; j < m; j++) {
    raw[j] = scale[j] * v[j] + mix[j] * v[m + j];
    raw[m + j] = share[j] * v[m + j];
  }
  return raw;
}

function scaleRows(matrix: Matrix, scales: Float64Array): Matrix {
  const scaled = createMatrix(matrix.rows, matrix.columns);
  for (let k = 0; k < matrix.columns; k++) {
    for (let i = 0; i < matrix.rows; i++) {
      scaled.data[i + k * matrix.rows] = scales[i] * matrix.data[i + k * matrix.rows];
    }
  }
  return scaled;
}

/** F'Q with the constants of the coding: −2p·scale of the additive columns, −2p² of those of dominance. */
function centredProducts(
  projected: Matrix,
  { q, ones }: Pick<ProjectedTraits, 'q' | 'ones'>,
  { additive, frequencyA2, share }: DominanceKinships,
): Matrix {
  const m = frequencyA2.length;
  const centred = matrixOf(2 * m, q.columns, projected.data.slice());
  for (let k = 0; k < q.columns; k++) {
    let sum = 0;
    for (let i = 0; i < q.rows; i++) sum += q.data[i + k * q.rows] * ones[i];
    for (let j = 0; j < m; j++) {
      centred.data[j + 2 * k * m] -= sum * additive.centre[j] * additive.scale[j];
      centred.data[j + (2 * k + 1) * m] -= sum * share[j] * 2 * frequencyA2[j] ** 2;
    }
  }
  return centred;
}

/** A column of the raw products as doubles, copied into `into`. */
function rawColumn(products: CrossProducts, column: number, into: Float64Array): Float64Array {
  into.set(products.subarray(column * into.length, (column + 1) * into.length));
  return into;
}

/** Writes rows `from` … `to − 1` of a column of T'(D'D)T to `out` at their places after `at`. */
function createCodedColumns(products: CrossProducts, { scale, mix, share }: FeatureCoding) {
  const m = scale.length;
  const byDosage = new Float64Array(2 * m);
  const byHeterozygotes = new Float64Array(2 * m);
  return (column: number, rows: { from: number; to: number }, out: Float64Array, at: number): void => {
    const { from, to } = rows;
    const isAdditive = column < m;
    const j = isAdditive ? column : column - m;
    rawColumn(products, j, byDosage);
    const own = isAdditive ? scale[j] : mix[j];
    for (let i = 0; i < 2 * m; i++) byDosage[i] *= own;
    if (!isAdditive) {
      rawColumn(products, column, byHeterozygotes);
      for (let i = 0; i < 2 * m; i++) byDosage[i] += share[j] * byHeterozygotes[i];
    }
    for (let i = from; i < Math.min(m, to); i++) out[at + i] = scale[i] * byDosage[i];
    for (let i = Math.max(m, from); i < to; i++)
      out[at + i] = share[i - m] * byDosage[i] + mix[i - m] * byDosage[i - m];
  };
}

/** (D'D)·v. */
function rawTimes(products: CrossProducts, v: Float64Array): Float64Array {
  const size = v.length;
  const column = new Float64Array(size);
  const sums = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    rawColumn(products, k, column);
    let sum = 0;
    for (let i = 0; i < size; i++) sum += column[i] * v[i];
    sums[k] = sum;
  }
  return sums;
}

/** Rows and columns of a square that are mirrored together, so that both sides stay in the cache. */
const MIRRORED_TOGETHER = 64;

/** Copies the lower triangle to the upper one. */
function mirror(products: CrossProducts, size: number): void {
  for (let first = 0; first < size; first += MIRRORED_TOGETHER) {
    for (let top = first; top < size; top += MIRRORED_TOGETHER) {
      mirrorSquare(products, size, first, top);
    }
  }
}

function mirrorSquare(products: CrossProducts, size: number, first: number, top: number): void {
  const lastColumn = Math.min(size, first + MIRRORED_TOGETHER);
  const lastRow = Math.min(size, top + MIRRORED_TOGETHER);
  for (let j = first; j < lastColumn; j++) {
    for (let i = Math.max(top, j + 1); i < lastRow; i++) products[j + i * size] = products[i + j * size];
  }
}
