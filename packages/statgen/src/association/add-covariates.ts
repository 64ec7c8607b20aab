import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';

/**
 * What became of a covariate: `used`; `constant`, the same for all individuals; or `explained`, a combination of the
 * intercept, the principal components and the covariates before it. The last two are left out: the model is the same without them.
 */
export type CovariateUse = 'used' | 'constant' | 'explained';

/** Deviations from the mean below this share of the values themselves are rounding. */
const CONSTANT_SHARE = 1e-12;
/** A covariate of which less than this share is new (in length, after centring) is explained; lm() of R uses the same limit. */
const EXPLAINED_SHARE = 1e-7;

/**
 * Appends covariates to fixed effects. Each is centred and scaled to unit length, which changes no test: tests of a marker
 * depend on the space that the fixed effects span.
 *
 * @param base n × c, full column rank, with an intercept
 * @param covariates n × k, without missing values
 * @returns n × (c + used), and what became of each covariate
 * @throws StatgenError `shape-mismatch`, `not-finite`
 */
export function addCovariates(base: Matrix, covariates: Matrix): { x: Matrix; uses: CovariateUse[] } {
  const { rows: n, columns: c } = base;
  if (covariates.rows !== n) {
    throw new StatgenError('shape-mismatch', `there are ${n} individuals, but covariates of ${covariates.rows}`);
  }
  // Orthonormal columns that span what is in the model so far.
  const span: Float64Array[] = [];
  for (let k = 0; k < c; k++) span.push(unitRest(base.data.slice(k * n, (k + 1) * n), span).rest);
  const added: Float64Array[] = [];
  const uses: CovariateUse[] = [];
  for (let k = 0; k < covariates.columns; k++) {
    const scaled = standardized(covariates.data.subarray(k * n, (k + 1) * n));
    if (scaled === null) {
      uses.push('constant');
      continue;
    }
    const { rest, share } = unitRest(scaled.slice(), span);
    uses.push(share > EXPLAINED_SHARE ? 'used' : 'explained');
    if (share <= EXPLAINED_SHARE) continue;
    span.push(rest);
    added.push(scaled);
  }
  const x = createMatrix(n, c + added.length);
  x.data.set(base.data.subarray(0, n * c));
  for (const [k, column] of added.entries()) x.data.set(column, (c + k) * n);
  return { x, uses };
}

/** Centred, of unit length; null when all values are the same. */
function standardized(values: Float64Array): Float64Array | null {
  let largest = 0;
  let sum = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) throw new StatgenError('not-finite', `a covariate is not a finite number: ${value}`);
    largest = Math.max(largest, Math.abs(value));
    sum += value;
  }
  const mean = sum / values.length;
  // Scaled first, so that no square of a large or small number leaves the range of doubles.
  const centred = values.map((value) => (value - mean) / (largest || 1));
  const length = norm(centred);
  return length > CONSTANT_SHARE * Math.sqrt(values.length) ? centred.map((value) => value / length) : null;
}

/** The part of a column outside the span, scaled to unit length, and its share of the column's length. */
function unitRest(column: Float64Array, span: readonly Float64Array[]): { rest: Float64Array; share: number } {
  const before = norm(column);
  // Twice is enough (Giraud, Langou & Rozložník 2005, Numer Math 101:87).
  for (let pass = 0; pass < 2; pass++) {
    for (const axis of span) {
      let product = 0;
      for (let i = 0; i < column.length; i++) product += axis[i] * column[i];
      for (let i = 0; i < column.length; i++) column[i] -= product * axis[i];
    }
  }
  const after = norm(column);
  return { rest: column.map((value) => (after > 0 ? value / after : 0)), share: before > 0 ? after / before : 0 };
}

function norm(values: Float64Array): number {
  let square = 0;
  for (const value of values) square += value * value;
  return Math.sqrt(square);
}
