import { noteOnAccuracy } from '@heterosis/analysis/prediction/evaluation/accuracy-estimate';
import type { ModelEvaluation } from '@heterosis/contracts/work/models';
import { type RawBuilder, sql } from 'kysely';
import type { ModelParameters, ModelTraitRow, Stored, StoredAccuracy, TraitAccuracy } from './models.queries.ts';

/** Beside the mean. */
const hasFixedEffects = ({ covariates, fixed }: ModelParameters): boolean =>
  (covariates ?? []).length > 0 || (fixed ?? 0) > 0;

/**
 * Versions before 1.3 left the fixed effects in records and predictions: with fixed effects their r is cor(ŷ, y), and
 * their accuracy and bias say nothing of the genetic part.
 */
const holdsFixedEffects = (stored: { phenotype_r?: unknown }, parameters: ModelParameters): boolean =>
  stored.phenotype_r === undefined && hasFixedEffects(parameters);

/** The figure of a trait in `model_traits` if it is a predictive ability, as {@link holdsFixedEffects} tells. */
export const predictiveAbility = (figure: 'mean' | 'sd'): RawBuilder<number | null> => sql`case
  when evaluation ? 'phenotype_r' or not parameters ?| array['covariates', 'fixed']
  then (evaluation #>> array['pearson_r', ${figure}]::text[])::float8 end`;

const NOT_TAKEN_OFF =
  'This evaluation was made by an earlier version, which left the fixed effects in records and predictions. Run it again for the predictive ability and the accuracy.';

const NONE = { mean: null, sd: null };

/** The figures of an evaluation by any version under the names of this one. */
export function completeAccuracy(stored: StoredAccuracy, parameters: ModelParameters): TraitAccuracy {
  const { accuracy = null, within_group_r = null, phenotype_r = null, note = null } = stored;
  if (holdsFixedEffects(stored, parameters)) {
    return {
      ...{ pearson_r: NONE, phenotype_r: stored.pearson_r, spearman_r: NONE, rmse: stored.rmse, r2: NONE, slope: NONE },
      accuracy: null,
      within_group_r: within_group_r && NONE,
      note: NOT_TAKEN_OFF,
    };
  }
  return {
    ...stored,
    accuracy: accuracy && { note: noteOnAccuracy(accuracy.value), ...accuracy },
    ...{ within_group_r, phenotype_r, note },
  };
}

type Fold = ModelEvaluation['per_fold'][number];
type Repetition = ModelEvaluation['per_repetition'][number];
interface StoredEvaluation extends Omit<ModelEvaluation, 'evaluation' | 'per_fold' | 'per_repetition'> {
  evaluation: StoredAccuracy;
  per_fold: Stored<Fold, 'group' | 'reason' | 'phenotype_r'>[];
  per_repetition: Stored<Repetition, 'phenotype_r'>[];
}

/** The data of the plots, likewise. */
export function completeEvaluation(stored: StoredEvaluation, parameters: ModelParameters): ModelEvaluation {
  const isOld = holdsFixedEffects(stored.evaluation, parameters);
  return {
    ...stored,
    per_fold: stored.per_fold.map(({ group = null, reason = null, phenotype_r = null, ...fold }) =>
      isOld
        ? { ...fold, r: null, phenotype_r: fold.r, group, reason: NOT_TAKEN_OFF }
        : { ...fold, phenotype_r, group, reason },
    ),
    per_repetition: stored.per_repetition.map(({ phenotype_r = null, ...one }) =>
      isOld
        ? { ...one, pearson_r: null, phenotype_r: one.pearson_r, spearman_r: null, r2: null, slope: null }
        : { ...one, phenotype_r },
    ),
    evaluation: completeAccuracy(stored.evaluation, parameters),
  };
}

/** The plot page of an evaluation that names cor(ŷ, y) a predictive ability is not handed out. */
export const traitsAsShown = (rows: readonly ModelTraitRow[], parameters: ModelParameters): ModelTraitRow[] =>
  rows.map((row) => {
    if (row.evaluation === null || !holdsFixedEffects(row.evaluation, parameters)) return row;
    const { plot: _, ...result_keys } = row.result_keys;
    return { ...row, evaluation: completeAccuracy(row.evaluation, parameters), result_keys };
  });
