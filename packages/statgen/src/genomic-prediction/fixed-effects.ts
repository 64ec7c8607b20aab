import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { addCovariates, type CovariateUse } from '../association/add-covariates.ts';
import type { PrincipalComponents } from '../kinship/principal-components.ts';
import { type ErrorContrasts, fixedEffectsOf, interceptOnly } from '../mixed-model/error-contrasts.ts';
import { StatgenError } from '../statgen-error.ts';

/** A fixed effect beside the mean, by all N individuals of a kinship. */
export interface FixedTerm {
  /** N numbers, or N places of groups 0, 1, 2 …; NaN = missing, which no individual of a fit may be. */
  values: Float64Array;
  isFactor: boolean;
  /** Counts of a marker: what it contributes is part of the genetic value, and not taken off the records. */
  isGenetic?: boolean;
}

/** Fixed effects beside the mean: columns of a phenotype file, and principal components of the kinship. */
export interface FixedModel {
  terms: readonly FixedTerm[];
  /** Of the N × N kinship; they follow from the genotypes and so count among the genomic values. */
  components: PrincipalComponents | null;
}

/** One column of X: a number, or a group against the reference of its factor. */
export interface FixedColumn {
  /** Place in `terms`; components follow the terms. */
  term: number;
  /** The group; null for numbers and components. */
  group: number | null;
  use: CovariateUse;
}

export interface FixedEffect extends FixedColumn {
  /** The group that `group` is compared with; null for numbers and components. */
  reference: number | null;
  /** Per unit of the column; 0 for columns that are not used. */
  estimate: number;
  /** √ of the diagonal of (XᵀV⁻¹X)⁻¹; 0 for columns that are not used. */
  standardError: number;
}

/** X of some individuals: the intercept, then the columns used, centred and of unit length. */
export interface FixedDesign {
  x: Matrix;
  columns: (FixedColumn & {
    /** Place in X, −1 for columns that are not used. */
    place: number;
    /** Among these individuals. */
    mean: number;
    length: number;
  })[];
  /** Groups with individuals, by term; the first is the reference. */
  groups: Map<number, number[]>;
}

/** Eigenvalues below this share of the largest are rounding error, and their components are meaningless. */
const SMALLEST_EIGENVALUE = 1e-9;

/**
 * X of the individuals of a fit. A column is centred there, so that the intercept is the value of an individual with
 * average covariates: for a factor that is the average over the individuals, whichever group is the reference.
 *
 * @throws StatgenError `not-finite` (a missing covariate), `bad-option` (a component without variance)
 */
export function createFixedDesign({ terms, components }: FixedModel, individuals: Int32Array): FixedDesign {
  const n = individuals.length;
  const chosen: { column: FixedColumn; values: Float64Array }[] = [];
  const groups = new Map<number, number[]>();
  for (const [term, { values, isFactor }] of terms.entries()) {
    const own = Float64Array.from(individuals, (i) => values[i]);
    if (!isFactor) {
      chosen.push({ column: { term, group: null, use: 'used' }, values: own });
      continue;
    }
    const present = [...new Set(own)].sort((a, b) => a - b);
    groups.set(term, present);
    for (const group of present.slice(1)) {
      chosen.push({ column: { term, group, use: 'used' }, values: own.map((value) => Number(value === group)) });
    }
  }
  for (let k = 0; k < (components?.axes.columns ?? 0); k++) {
    requireVariance(components, k);
    const axis = componentOf(components, k);
    chosen.push({
      column: { term: terms.length + k, group: null, use: 'used' },
      values: Float64Array.from(individuals, (i) => axis[i]),
    });
  }
  const given = createMatrix(n, chosen.length);
  for (const [k, { values }] of chosen.entries()) given.data.set(values, k * n);
  const { x, uses } = addCovariates(interceptOnly(n), given);
  let place = 0;
  const columns = chosen.map(({ column, values }, k) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    if (uses[k] !== 'used') return { ...column, use: uses[k], place: -1, mean, length: 1 };
    place++;
    return { ...column, place, mean, length: lengthOf(values, mean, x.data.subarray(place * n, (place + 1) * n)) };
  });
  return { x, columns, groups };
}

function requireVariance(components: PrincipalComponents | null, k: number): void {
  const [largest] = components?.eigenvalues ?? [];
  if (components === null || components.eigenvalues[k] > SMALLEST_EIGENVALUE * largest) return;
  throw new StatgenError('bad-option', `the kinship has ${k} principal components with variance only`, {
    count: components.axes.columns,
    available: k,
  });
}

function componentOf(components: PrincipalComponents | null, k: number): Float64Array {
  const { rows, data } = components?.axes ?? createMatrix(0, 0);
  return data.subarray(k * rows, (k + 1) * rows);
}

/** The divisor of a column, recovered at the entry farthest from its mean, where it is most accurate. */
function lengthOf(values: Float64Array, mean: number, scaled: Float64Array): number {
  let farthest = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(scaled[i]) > Math.abs(scaled[farthest])) farthest = i;
  }
  return (values[farthest] - mean) / scaled[farthest];
}

/**
 * Contribution of the fixed effects besides the mean to the value of an individual, without that of markers. For a
 * group without individuals in the fit, a factor contributes its average, which is 0.
 *
 * @param coefficients of X, the intercept first
 */
export const fixedPartOf = (
  model: FixedModel,
  design: FixedDesign,
  coefficients: ArrayLike<number>,
  individual: number,
): number => partOf(model, design, { coefficients, individual, isGenetic: false });

/** Contribution of markers with fixed effects, as {@link fixedPartOf} has that of the others. */
export const markerPartOf = (
  model: FixedModel,
  design: FixedDesign,
  coefficients: ArrayLike<number>,
  individual: number,
): number => partOf(model, design, { coefficients, individual, isGenetic: true });

function partOf(
  { terms, components }: FixedModel,
  { columns, groups }: FixedDesign,
  { coefficients, individual, isGenetic }: { coefficients: ArrayLike<number>; individual: number; isGenetic: boolean },
): number {
  let sum = 0;
  for (const { term, group, place, mean, length } of columns) {
    if (place < 0 || (terms[term]?.isGenetic === true) !== isGenetic) continue;
    let value: number;
    if (term >= terms.length) {
      value = componentOf(components, term - terms.length)[individual];
    } else {
      value = terms[term].values[individual];
      if (group !== null) {
        if (!groups.get(term)?.includes(value)) continue;
        value = Number(value === group);
      }
    }
    sum += (coefficients[place] * (value - mean)) / length;
  }
  return sum;
}

/** Effects per unit of their columns, from coefficients of X and their standard errors. */
export function effectsOf(
  { columns, groups }: FixedDesign,
  coefficients: ArrayLike<number>,
  standardErrors: ArrayLike<number>,
): FixedEffect[] {
  return columns.map(({ term, group, use, place, length }) => ({
    term,
    group,
    reference: group === null ? null : (groups.get(term)?.[0] ?? null),
    use,
    estimate: place < 0 ? 0 : coefficients[place] / length,
    standardError: place < 0 ? 0 : standardErrors[place] / length,
  }));
}

/**
 * Contribution of principal components to genomic values. An axis v of the kinship equals K·v/λ, so Σ b·(v − v̄) =
 * K·weights − shift, which marker effects can express and so apply to new individuals.
 */
export function structureOf(
  model: FixedModel,
  { columns }: FixedDesign,
  coefficients: ArrayLike<number>,
  size: number,
): { values: Float64Array; weights: Float64Array; shift: number } {
  const values = new Float64Array(size);
  const weights = new Float64Array(size);
  let shift = 0;
  for (const { term, place, mean, length } of columns) {
    const k = term - model.terms.length;
    if (k < 0 || place < 0 || model.components === null) continue;
    const axis = componentOf(model.components, k);
    const effect = coefficients[place] / length;
    for (let i = 0; i < size; i++) {
      values[i] += effect * (axis[i] - mean);
      weights[i] += (effect * axis[i]) / model.components.eigenvalues[k];
    }
    shift += effect * mean;
  }
  return { values, weights, shift };
}

/**
 * Standard errors of generalised least squares: (XᵀV⁻¹X)⁻¹ = R⁻¹·(V₁₁ − V₁₂V₂₂⁻¹V₂₁)·R⁻ᵀ in the basis Q of X = QR.
 *
 * @param schur V₁₁ − V₁₂V₂₂⁻¹V₂₁, c × c
 */
export function standardErrorsOf({ fixed, r }: ErrorContrasts, schur: (i: number, j: number) => number): Float64Array {
  // Rows of R⁻¹, upper triangular.
  const inverse = createMatrix(fixed, fixed);
  for (let column = 0; column < fixed; column++) {
    for (let row = column; row >= 0; row--) {
      let sum = Number(row === column);
      for (let k = row + 1; k <= column; k++) sum -= r.data[row + k * fixed] * inverse.data[k + column * fixed];
      inverse.data[row + column * fixed] = sum / r.data[row + row * fixed];
    }
  }
  return Float64Array.from({ length: fixed }, (_, row) => {
    let variance = 0;
    for (let i = row; i < fixed; i++) {
      for (let j = row; j < fixed; j++) {
        variance += inverse.data[row + i * fixed] * schur(i, j) * inverse.data[row + j * fixed];
      }
    }
    return Math.sqrt(Math.max(0, variance));
  });
}

/** No fixed effects but the mean. */
export const MEAN_ONLY: FixedModel = { terms: [], components: null };

/** Whether records are corrected for fixed effects: by others than markers. */
export const hasCorrections = ({ terms, components }: FixedModel): boolean =>
  components !== null || terms.some(({ isGenetic }) => isGenetic !== true);

/** Beside the mean. */
export const hasFixedEffects = ({ terms, components }: FixedModel): boolean => terms.length > 0 || components !== null;

/**
 * Coefficients of X by generalised least squares: y − Xb̂ = σ²g·K·Py + σ²e·Py, and the second part is orthogonal to
 * X.
 */
export function coefficientsOf(
  contrasts: ErrorContrasts,
  y: Float64Array,
  genetic: (i: number) => number,
): Float64Array {
  return fixedEffectsOf(
    contrasts,
    y.map((value, i) => value - genetic(i)),
  );
}
