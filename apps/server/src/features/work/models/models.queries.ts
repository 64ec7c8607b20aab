import type { TraitVariance } from '@heterosis/analysis/prediction/trained-model';
import type { ModelDetail, ModelStatus } from '@heterosis/contracts/work/models';
import { ENDED_STATES } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** Kinds of results of a trait in the object store: downloads, tables (Parquet), and data of the plots. */
export type ModelResultKind =
  | 'spec'
  | 'effects'
  | 'effects_table'
  /** The markers of a model without effects. */
  | 'markers_table'
  | 'gebv'
  | 'gebv_table'
  | 'evaluation'
  | 'folds'
  /** r of every fold of the models compared. */
  | 'compared'
  | 'plot'
  /** The individuals and markers left out. */
  | 'left_out';

/** What was fitted together stands with each of its traits. */
export type TraitFitFigures = NonNullable<ModelDetail['fit'][string]> & {
  multi_trait?: NonNullable<ModelDetail['multi_trait']>;
};
export type TraitAccuracy = NonNullable<ModelDetail['evaluation'][string]>;
/** A body as stored by any version: some fields were added later. */
export type Stored<Body, Added extends keyof Body> = Omit<Body, Added> & Partial<Pick<Body, Added>>;
type Accuracy = NonNullable<TraitAccuracy['accuracy']>;
export type StoredAccuracy = Omit<Stored<TraitAccuracy, 'within_group_r' | 'phenotype_r' | 'note'>, 'accuracy'> & {
  accuracy?: Stored<Accuracy, 'note'> | null;
};

export interface ModelTraitRow {
  trait: string;
  status: ModelStatus;
  error_extra: ErrorExtra | null;
  evaluation: StoredAccuracy | null;
  variance: TraitVariance | null;
  fit: TraitFitFigures | null;
  result_keys: Partial<Record<ModelResultKind, string>>;
}

/** Options that have columns of their own; `include_dominance_effects` is `dominance_effect` of the request. */
type ColumnOption = 'model_type' | 'n_fold' | 'n_repetition' | 'optimize_time' | 'include_dominance_effects';

/** Training parameters without a column of their own. */
export type ModelParameters = Omit<ModelDetail['provenance']['parameters'], ColumnOption>;

const traitRows: RawBuilder<ModelTraitRow[]> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'trait', trait, 'status', status, 'error_extra', error_extra, 'evaluation', evaluation,
    'variance', variance, 'fit', fit, 'result_keys', result_keys)
    order by array_position(one.traits, trait)), '[]')
  from model_traits where model_traits.model_id = one.id)`;

const INPUTS = {
  genotype: 'GENOTYPE',
  phenotype: 'PHENOTYPE',
  // With it, prediction is single-step.
  pedigree: { optional: 'PEDIGREE' },
} as const;

export const modelSelection = selectionOf('model', INPUTS, (query) =>
  query
    .select(['one.seed', 'one.model_type', 'one.n_fold', 'one.n_repetition', 'one.optimize_time'])
    .select('one.include_dominance_effects')
    .select((one) => one.ref('one.parameters').$castTo<ModelParameters>().as('parameters'))
    .select(traitRows.as('trait_rows')),
);
export type ModelRow = RowOf<typeof modelSelection>;

/** The options of a model, some of which have columns of their own. */
export const optionsOf = (model: Pick<ModelRow, 'parameters' | 'seed' | ColumnOption>) => ({
  dominance_effect: model.include_dominance_effects,
  n_fold: model.n_fold,
  n_repetition: model.n_repetition,
  optimize_time: model.optimize_time,
  seed: model.seed,
  ...model.parameters,
});

/** The new state of a trait. Keys of results are added to the existing ones. */
export type TraitState =
  | { status: 'TRAINING' | 'TRAINED' | 'EVALUATING' }
  | {
      status: 'TRAINED';
      variance: TraitVariance;
      fit: TraitFitFigures;
      result_keys: Partial<Record<ModelResultKind, string>>;
    }
  | {
      status: 'EVALUATED';
      evaluation: TraitAccuracy;
      result_keys: Partial<Record<ModelResultKind, string>>;
    }
  | { status: 'ERROR'; error_extra: ErrorExtra };

/** The only function that changes the status of a trait. */
export async function updateModelTrait(
  db: Queryable,
  modelId: string,
  trait: string,
  state: TraitState,
): Promise<void> {
  const { result_keys, ...fields } = 'result_keys' in state ? state : { ...state, result_keys: undefined };
  await db
    .updateTable('model_traits')
    .set({
      error_extra: null,
      ...fields,
      ...(result_keys === undefined ? {} : { result_keys: sql`result_keys || ${JSON.stringify(result_keys)}::jsonb` }),
      updated_at: sql<string>`now()`,
    })
    .where('model_id', '=', modelId)
    .where('trait', '=', trait)
    .execute();
}

/** The trait is not finished. */
export const isRunning = (status: ModelStatus): boolean => !ENDED_STATES.includes(status);
