import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { type GwasInput, type GwasNull, prepareGwas } from './prepare-gwas.ts';

/** A kinship, and the divisor of its sum over markers. */
export interface DividedKinship {
  kinship: Matrix;
  divisor: number;
}

export interface LeaveGroupOutInput {
  /** Of all markers, or of those that may be in the kinship of another group. */
  whole: DividedKinship;
  /** Null model of all markers; its decomposition is not used. */
  full: Pick<GwasNull, 'n' | 'axes'>;
  traits: readonly Float64Array[];
  covariates: Matrix;
  errors?: GwasInput['errors'];
}

/**
 * The null model for the markers of one group (a chromosome), with the kinship of all other markers (Listgarten et al.
 * 2012, Nat Methods 9:525), its variances by REML and ML as those of any kinship. Principal components are those of
 * the whole kinship.
 *
 * @param group kinship of the group's own markers; **overwritten** by that of the others
 * @throws as `prepareGwas`
 */
export function prepareWithoutGroup(group: DividedKinship, input: LeaveGroupOutInput): GwasNull {
  const { whole, full, traits, covariates, errors } = input;
  const { kinship } = group;
  subtractGroup(whole, group, kinship);
  const axes = matrixOf(full.n, full.axes.length / full.n, full.axes);
  return prepareGwas({ kinship, overwritesKinship: true, traits, principalComponents: axes, covariates, errors });
}

/**
 * K₋c = K − (d_c/d)·K_c, which keeps the divisor d of the whole, so that a marker effect has the same variance in both.
 *
 * @param into n × n; may be one of them
 */
export function subtractGroup(whole: DividedKinship, group: DividedKinship, into: Matrix): void {
  const share = group.divisor / whole.divisor;
  for (let i = 0; i < into.data.length; i++) into.data[i] = whole.kinship.data[i] - share * group.kinship.data[i];
}
