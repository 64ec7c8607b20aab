import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { type GwasNull, prepareGwas } from './prepare-gwas.ts';

/** A kinship, and the divisor of its sum over markers. */
export interface DividedKinship {
  kinship: Matrix;
  divisor: number;
}

export interface LeaveGroupOutInput {
  /** Of all markers. */
  whole: DividedKinship;
  /** Null model with that kinship; its decomposition is not used. */
  full: Pick<GwasNull, 'n' | 'axes' | 'traits'>;
  traits: readonly Float64Array[];
  covariates: Matrix;
}

/**
 * The null model for the markers of one group (a chromosome), with the kinship of all other markers (Listgarten et al.
 * 2012, Nat Methods 9:525): K₋c = K − (d_c/d)·K_c, which keeps the divisor d of the whole, so that a marker effect has
 * the same variance in both. Principal components are those of the whole kinship. SCORE keeps the variances of the
 * model of all markers; the searches of WALD and LRT start at the optimum without the group.
 *
 * @param group kinship of the group's own markers; **overwritten** by that of the others
 * @throws as `prepareGwas`
 */
export function prepareWithoutGroup(group: DividedKinship, input: LeaveGroupOutInput): GwasNull {
  const { whole, full, traits, covariates } = input;
  const kinship = group.kinship;
  const share = group.divisor / whole.divisor;
  for (let i = 0; i < kinship.data.length; i++) kinship.data[i] = whole.kinship.data[i] - share * kinship.data[i];
  const axes = matrixOf(full.n, full.axes.length / full.n, full.axes);
  const state = prepareGwas({ kinship, overwritesKinship: true, traits, principalComponents: axes, covariates });
  for (const [t, model] of state.traits.entries()) {
    model.scoreH2 = full.traits[t].scoreH2;
    model.scoreVariance = full.traits[t].scoreVariance;
  }
  return state;
}
