import type { CrossValidation } from '@heterosis/statgen/genomic-prediction/cross-validate';
import type { Folds } from '@heterosis/statgen/genomic-prediction/folds';
import type { HeldOutPrediction } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { describeError } from '../../describe-error.ts';
import { finite } from './evaluation-figures.ts';

export interface FoldAccuracy {
  /** 1-based. */
  repetition: number;
  fold: number;
  /** The group or environment that the fold leaves out; null for random and given folds. */
  group: string | null;
  /** Individuals predicted. */
  n: number;
  /** Predictive ability within the fold; null where not defined. */
  r: number | null;
  /** cor(ŷ, y) within the fold; null without fixed effects too. */
  phenotype_r: number | null;
  /** Why there is no `r`, in a sentence; null where there is one. */
  reason: string | null;
}

/**
 * Means over repetitions, made while the individual was in the test part, of its record without the part of the fixed
 * effects (`observed`) and of the prediction of that; fold of the first repetition.
 */
export interface EvaluatedPoint {
  individual: string;
  observed: number;
  predicted: number;
  fold: number;
}

/**
 * How well each fold was predicted.
 *
 * @param groups the name of each fold; null for random and given folds
 * @param isCorrected whether the records were corrected for fixed effects
 */
export function foldRows(
  folds: CrossValidation['folds'],
  groups: readonly string[] | null,
  isCorrected: boolean,
): FoldAccuracy[] {
  return folds.map((result) => ({
    repetition: result.repetition,
    fold: result.fold,
    group: groups?.[result.fold - 1] ?? null,
    n: result.nTest,
    r: finite(result.pearsonR),
    phenotype_r: isCorrected ? finite(result.phenotypeR) : null,
    reason: reasonWithoutR(result),
  }));
}

function reasonWithoutR(result: CrossValidation['folds'][number]): string | null {
  const { pearsonR, nTest, error, varianceAdditive, varianceDominance } = result;
  if (Number.isFinite(pearsonR)) return null;
  if (error !== undefined) return describeError(error)?.message ?? error.message;
  if (nTest > 1 && varianceAdditive === 0 && varianceDominance === 0) {
    return 'The other folds show no genetic variance, so all individuals of this fold get the same prediction.';
  }
  return nTest < 2 ? 'This fold has one individual only.' : 'The values or the predictions of this fold do not differ.';
}

/** Throws only if every training part failed; a single failure leaves its fold without r. */
export function requireFittedFold({ folds }: Pick<CrossValidation, 'folds'>): void {
  const [{ error }] = folds;
  if (error === undefined || folds.some((fold) => fold.error === undefined)) return;
  throw new StatgenError(
    error.code,
    `no training part of the cross-validation can be fitted: ${error.message}`,
    error.details,
  );
}

/** Records and predictions of the individuals that were in a test part. */
export function pointsOf(
  samples: readonly string[],
  y: Float64Array,
  folds: Folds,
  { genetic, fixedPart }: HeldOutPrediction,
): EvaluatedPoint[] {
  const points: EvaluatedPoint[] = [];
  for (let i = 0; i < samples.length; i++) {
    const places = Array.from({ length: folds.repetitions }, (_, r) => i + r * samples.length).filter((place) =>
      Number.isFinite(genetic[place]),
    );
    if (places.length === 0) continue;
    const meanOf = (value: (place: number) => number): number =>
      places.reduce((sum, place) => sum + value(place), 0) / places.length;
    points.push({
      individual: samples[i],
      observed: y[i] - meanOf((place) => fixedPart[place]),
      predicted: meanOf((place) => genetic[place]),
      fold: folds.assignment[i],
    });
  }
  return points;
}
