import { createMatrix, type Matrix, matrixOf, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { contrastsOf, createErrorContrasts, logVolume } from '../mixed-model/error-contrasts.ts';
import { MINIMUM_INDIVIDUALS } from '../mixed-model/fit-reml.ts';
import { StatgenError } from '../statgen-error.ts';

export interface TraitRecordOptions {
  /** n × n, both triangles; not modified. */
  kinship: Matrix;
  /** A trait each, n values, NaN = not recorded; a line may lack any of them, but not all. */
  values: readonly Float64Array[];
  /**
   * X_t of each trait, n × c_t with the intercept first; rows of lines without record of the trait are ignored, the
   * others have full column rank.
   */
  designs: readonly Matrix[];
  /** Error variance of a line relative to that of others, n values > 0; 1 unless told. */
  errorWeights?: Float64Array;
}

/**
 * Records of t traits on n lines in the basis of the eigenvectors of their kinship. Values are divided by `scales` and
 * the kinship by `kernelScale`, so that all variances have the size 1. A missing record is kept as the value 0; what it
 * changes is taken off by `missing`.
 */
export interface TraitRecords {
  lineCount: number;
  traitCount: number;
  /** N, and Σ c_t. */
  recordCount: number;
  fixedCount: number;
  /** Column of the first fixed effect of each trait among all; t + 1 entries. */
  firstFixed: Int32Array;
  /** λ of D^−½KD^−½, ascending. */
  eigenvalues: Float64Array;
  /** U, n × n. */
  vectors: Matrix;
  /** Lines without record of each trait. */
  missing: readonly Int32Array[];
  /** Rows of U of these lines, m_t × n. */
  missingVectors: readonly Matrix[];
  /** First place of each trait among all missing records; t + 1 entries. */
  firstMissing: Int32Array;
  /** Uᵀ[y X], n × t(1 + c): columns of trait after trait, values first; those of other traits' effects are 0. */
  rotated: Matrix;
  scales: Float64Array;
  kernelScale: number;
  /** D^−½, n values; null without weights. */
  roots: Float64Array | null;
  /** Σ log d over records. */
  logWeights: number;
  /** ½ Σ log|X_tᵀX_t|. */
  logVolume: number;
  /** Lines with records of both traits of a pair, t × t. */
  together: Int32Array;
  /** Residual covariance of the scaled values by pairs of traits, a start for the search. */
  spread: Float64Array;
}

/** A trait that varies less than this share of its size is constant to rounding. */
const CONSTANT_SHARE = 1e-13;
/** Negative eigenvalues beyond this share of the largest are no rounding. */
const ROUNDING_SHARE = 1e-8;

/**
 * @throws StatgenError `shape-mismatch`, `bad-option` (a line without record, a weight that is not positive),
 * `too-few-individuals` and `constant-trait` (details: `trait`, its place), `collinear-fixed-effects`,
 * `not-positive-semidefinite`, `not-finite`
 */
export function createTraitRecords(options: TraitRecordOptions): TraitRecords {
  const { kinship, values, designs, errorWeights } = options;
  const n = requireSquare(kinship, 'a kinship matrix');
  const t = values.length;
  requireShapes(options, n);
  const observed = values.map((own) => Int32Array.from(own.keys()).filter((i) => !Number.isNaN(own[i])));
  const roots = errorWeights === undefined ? null : errorWeights.map((weight) => 1 / Math.sqrt(weight));
  const residuals = values.map((own, s) => residualsOf(own, designs[s], observed[s], s));
  const scales = Float64Array.from(residuals, ({ scale }) => scale);
  const whitened = matrixOf(n, n, kinship.data.slice(0, n * n));
  if (roots !== null) {
    for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) whitened.data[i + j * n] *= roots[i] * roots[j];
  }
  const kernelScale = centredMean(whitened);
  for (let k = 0; k < whitened.data.length; k++) whitened.data[k] /= kernelScale;
  const { values: eigenvalues, vectors } = symmetricEigenInPlace(whitened);
  if (n > 0 && eigenvalues[0] < -ROUNDING_SHARE * eigenvalues[n - 1]) {
    throw new StatgenError('not-positive-semidefinite', 'the kinship is no covariance', {
      smallest: eigenvalues[0],
      largest: eigenvalues[n - 1],
    });
  }
  for (let i = 0; i < n; i++) eigenvalues[i] = Math.max(0, eigenvalues[i]);
  const missing = values.map((own) => Int32Array.from(own.keys()).filter((i) => Number.isNaN(own[i])));
  const everywhere = Int32Array.from({ length: n }, (_, i) => i);
  const firstFixed = runningSums(designs.map(({ columns }) => columns));
  const firstMissing = runningSums(missing.map(({ length }) => length));
  const logOfRoots = (i: number): number => (roots === null ? 0 : -2 * Math.log(roots[i]));
  return {
    lineCount: n,
    traitCount: t,
    recordCount: observed.reduce((sum, { length }) => sum + length, 0),
    fixedCount: firstFixed[t],
    ...{ firstFixed, firstMissing, eigenvalues, vectors, missing, scales, kernelScale, roots },
    missingVectors: missing.map((rows) => selectRowsAndColumns(vectors, rows, everywhere)),
    rotated: rotatedRecords(options, { observed, scales, roots, firstFixed, vectors }),
    logWeights: observed.reduce((sum, rows) => rows.reduce((total, i) => total + logOfRoots(i), sum), 0),
    logVolume: residuals.reduce((sum, { volume }) => sum + volume, 0),
    together: togetherOf(values),
    spread: spreadOf(residuals.map(({ residual, scale }) => residual.map((value) => value / scale))),
  };
}

function requireShapes({ values, designs, errorWeights }: TraitRecordOptions, n: number): void {
  const lengths = [...values.map(({ length }) => length), ...designs.map(({ rows }) => rows)];
  if (errorWeights !== undefined) lengths.push(errorWeights.length);
  if (values.length === 0 || designs.length !== values.length || lengths.some((length) => length !== n)) {
    throw new StatgenError('shape-mismatch', `${values.length} traits do not fit a kinship of ${n} lines`);
  }
  if (errorWeights?.every((weight) => weight > 0 && Number.isFinite(weight)) === false) {
    throw new StatgenError('bad-option', 'a relative error variance is not positive');
  }
  for (let i = 0; i < n; i++) {
    if (values.every((own) => Number.isNaN(own[i]))) {
      throw new StatgenError('bad-option', `line ${i + 1} has no record`);
    }
  }
}

/** Least-squares residuals of a trait, NaN without record, their standard deviation, and ½ log|XᵀX|. */
function residualsOf(
  values: Float64Array,
  design: Matrix,
  observed: Int32Array,
  trait: number,
): { residual: Float64Array; scale: number; volume: number } {
  const n = observed.length;
  if (n < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `variance components need at least ${MINIMUM_INDIVIDUALS} lines with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS, trait },
    );
  }
  const seen = Float64Array.from(observed, (i) => values[i]);
  if (!seen.every((value) => Number.isFinite(value))) {
    throw new StatgenError('not-finite', 'a value is infinite', { trait });
  }
  const columns = Int32Array.from({ length: design.columns }, (_, k) => k);
  const x = selectRowsAndColumns(design, observed, columns);
  const contrasts = createErrorContrasts(x);
  const centre = seen.reduce((sum, value) => sum + value, 0) / n;
  const z = contrastsOf(
    contrasts,
    matrixOf(
      n,
      1,
      seen.map((value) => value - centre),
    ),
  ).data;
  const square = z.reduce((sum, value) => sum + value * value, 0);
  const size = Math.max(...seen.map((value) => Math.abs(value)));
  if (!(Math.sqrt(square) > CONSTANT_SHARE * size)) {
    throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n, trait });
  }
  const residual = new Float64Array(values.length).fill(Number.NaN);
  // A start needs no more than deviations from the mean.
  for (const [k, i] of observed.entries()) residual[i] = seen[k] - centre;
  return { residual, scale: Math.sqrt(square / z.length), volume: logVolume(contrasts) };
}

/** Mean eigenvalue of a kinship among contrasts to the mean, or of the kinship where there is none. */
function centredMean({ rows: n, data }: Matrix): number {
  let trace = 0;
  let whole = 0;
  for (let j = 0; j < n; j++) {
    trace += data[j * (n + 1)];
    for (let i = 0; i < n; i++) whole += data[i + j * n];
  }
  const centred = (trace - whole / n) / Math.max(1, n - 1);
  if (centred > 1e-12 * trace) return centred;
  return trace > 0 ? trace / n : 1;
}

/** 0, a, a + b … */
function runningSums(counts: readonly number[]): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  for (const [k, count] of counts.entries()) sums[k + 1] = sums[k] + count;
  return sums;
}

/** Uᵀ[y X] in the layout of {@link TraitRecords}. */
function rotatedRecords(
  { values, designs }: TraitRecordOptions,
  {
    observed,
    scales,
    roots,
    firstFixed,
    vectors,
  }: Pick<TraitRecords, 'scales' | 'roots' | 'firstFixed' | 'vectors'> & { observed: readonly Int32Array[] },
): Matrix {
  const n = vectors.rows;
  const t = values.length;
  const width = 1 + firstFixed[t];
  const own = createMatrix(n, t * width);
  for (const [s, rows] of observed.entries()) {
    const { columns, data } = designs[s];
    for (const i of rows) {
      const root = roots?.[i] ?? 1;
      own.data[i + s * width * n] = (values[s][i] / scales[s]) * root;
      for (let c = 0; c < columns; c++) {
        own.data[i + (s * width + 1 + firstFixed[s] + c) * n] = data[i + c * n] * root;
      }
    }
  }
  return multiply(vectors, own, { transposeA: true });
}

function togetherOf(values: readonly Float64Array[]): Int32Array {
  const counts = values.flatMap((first) =>
    values.map((second) => first.reduce((sum, y, i) => sum + Number(!Number.isNaN(y + second[i])), 0)),
  );
  return Int32Array.from(counts);
}

/** Mean products of pairs of traits over the lines that have both, shrunk until they are a covariance. */
function spreadOf(residuals: readonly Float64Array[]): Float64Array {
  const t = residuals.length;
  const spread = new Float64Array(t * t);
  for (let s = 0; s < t; s++) {
    for (let r = 0; r < t; r++) {
      let sum = 0;
      let ofS = 0;
      let ofR = 0;
      for (let i = 0; i < residuals[s].length; i++) {
        const product = residuals[s][i] * residuals[r][i];
        if (Number.isNaN(product)) continue;
        sum += product;
        ofS += residuals[s][i] ** 2;
        ofR += residuals[r][i] ** 2;
      }
      // 0.8: traits with the same values would make a singular start.
      spread[s * t + r] = s === r ? 1 : ofS > 0 && ofR > 0 ? (0.8 * sum) / Math.sqrt(ofS * ofR) : 0;
    }
  }
  return spread;
}
