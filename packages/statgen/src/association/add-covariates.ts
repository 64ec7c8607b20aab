import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';

/**
 * Outcome for a covariate: `used`; `constant`, equal for all individuals; or `explained`, a linear combination of the
 * intercept, the principal components and the preceding covariates. The last two are dropped, which leaves the model
 * unchanged.
 */
export type CovariateUse = 'used' | 'constant' | 'explained';

/** Deviations from the mean smaller than this share of the values are rounding errors. */
const CONSTANT_SHARE = 1e-12;
/** A covariate is explained when less than this share of its centred length is new; lm() in R uses the same limit. */
const EXPLAINED_SHARE = 1e-7;

/**
 * Appends covariates to the fixed effects. Each is centred and scaled to unit length. This changes no test, because a
 * marker test depends only on the space spanned by the fixed effects.
 *
 * @param base n × c, full column rank, with an intercept
 * @param covariates n × k, without missing values
 * @returns n × (c + used), and the outcome for each covariate
 * @throws StatgenError `shape-mismatch`, `not-finite`
 */
export function addCovariates(base: Matrix, covariates: Matrix): { x: Matrix; uses: CovariateUse[] } {
  const { rows: n, columns: c } = base;
  if (covariates.rows !== n) {
    throw new StatgenError('shape-mismatch', `there are ${n} individuals, but covariates of ${covariates.rows}`);
  }
  // Orthonormal basis of the columns already in the model.
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

/** Centred, of unit length; null when all values are equal. */
function standardized(values: Float64Array): Float64Array | null {
  let largest = 0;
  let sum = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) throw new StatgenError('not-finite', `a covariate is not a finite number: ${value}`);
    largest = Math.max(largest, Math.abs(value));
    sum += value;
  }
  const mean = sum / values.length;
  // Scale first, so that no square of a large or small number overflows or underflows.
  const centred = values.map((value) => (value - mean) / (largest || 1));
  const length = norm(centred);
  return length > CONSTANT_SHARE * Math.sqrt(values.length) ? centred.map((value) => value / length) : null;
}

/** The part of a column outside the span, scaled to unit length, and its share of the column's length. */
function unitRest(column: Float64Array, span: readonly Float64Array[]): { rest: Float64Array; share: number } {
  const before = norm(column);
  // Two passes are enough (Giraud, Langou & Rozložník 2005, Numer Math 101:87).
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
