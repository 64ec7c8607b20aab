import { fixedEffectsOf, type GwasInput } from '@heterosis/statgen/association/prepare-gwas';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { fitKnownErrors } from '@heterosis/statgen/mixed-model/fit-known-errors';
import { addToErrors, type ErrorCovariance } from '@heterosis/statgen/mixed-model/whitening';
import type { AlignedErrors } from '../inputs/value-errors.ts';

/** R of the errors of a trait. */
export interface ErrorsOfTrait {
  covariance: ErrorCovariance;
  figures: { from: AlignedErrors['from']; residualLines: number | null };
}

/** A trait of some individuals and its model without marker. */
interface NullOfTrait extends Pick<GwasInput, 'kinship' | 'principalComponents'> {
  covariates: Matrix;
  y: Float64Array;
}

/**
 * R of the errors of a trait: Ω, or Ω + σ²r·I with the variance of lines of the model without marker.
 *
 * @param modelOf is asked only for that variance
 */
export async function errorsOfTrait(
  { from, residualLines: asked, among }: AlignedErrors,
  individuals: Int32Array,
  modelOf: () => NullOfTrait | Promise<NullOfTrait>,
): Promise<ErrorsOfTrait> {
  const omega = among(individuals);
  if (!asked) return { covariance: omega, figures: { from, residualLines: null } };
  const { y, ...model } = await modelOf();
  const { x } = fixedEffectsOf(model);
  const { residualLines } = fitKnownErrors({ kernels: [model.kinship], omega, residualLines: true, x, y });
  const lines = residualLines?.value ?? 0;
  return { covariance: addToErrors(omega, lines), figures: { from, residualLines: lines } };
}
