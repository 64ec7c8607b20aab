import type { TraitVariance } from '@heterosis/analysis/prediction/trained-model';
import type { ModelStatus } from '@heterosis/contracts/models';
import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';
import { containing } from '../projects/index.ts';
import type { ErrorExtra } from '../runs/index.ts';

/** Results of a trait in the object store: for download, as table (Parquet), and what the plots show. */
export type ModelResultKind =
  | 'spec'
  | 'effects'
  | 'effects_table'
  | 'gebv'
  | 'gebv_table'
  | 'evaluation'
  | 'folds'
  | 'plot';

export interface TraitFitFigures {
  n: number;
  m: number;
  imputed_calls: number;
  intercept: number;
  log_likelihood: number;
  iterations: number;
  seconds: number;
  converged: boolean;
  at_boundary: string[];
  H2: number;
}

interface MeanSd {
  mean: number | null;
  sd: number | null;
}

export interface TraitAccuracy {
  pearson_r: MeanSd;
  spearman_r: MeanSd;
  rmse: MeanSd;
  r2: MeanSd;
  slope: MeanSd;
}

export interface ModelTraitRow {
  trait: string;
  status: ModelStatus;
  error_extra: ErrorExtra | null;
  evaluation: TraitAccuracy | null;
  variance: TraitVariance | null;
  fit: TraitFitFigures | null;
  result_keys: Partial<Record<ModelResultKind, string>>;
}

/** What was asked for beside SPEC's fields. */
export interface ModelParameters {
  kinship: 'vanraden1' | 'standardized';
  thresh_maf: number;
  thresh_callrate: number;
  renames?: { from: string; to: string }[];
}

export interface ModelRow {
  id: string;
  name: string;
  project_id: string;
  organization_id: string;
  description: string | null;
  traits: string[];
  seed: number;
  parameters: ModelParameters;
  /** Null when the file was deleted. */
  genotype_id: string | null;
  phenotype_id: string | null;
  genotype_name: string | null;
  phenotype_name: string | null;
  model_type: 'RRBLUP';
  n_fold: number;
  n_repetition: number;
  optimize_time: number | null;
  include_dominance_effects: boolean;
  created_by: string | null;
  /** Name, or address of a person without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
  trait_rows: ModelTraitRow[];
}

const traitRows: RawBuilder<ModelTraitRow[]> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'trait', trait, 'status', status, 'error_extra', error_extra, 'evaluation', evaluation,
    'variance', variance, 'fit', fit, 'result_keys', result_keys)
    order by array_position(models.traits, trait)), '[]')
  from model_traits where model_traits.model_id = models.id)`;

const selectModels = (db: Queryable, projectId: string) =>
  db
    .selectFrom('models')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'models.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'models.created_by')
    .leftJoin('files as genotype', (join) =>
      join.onRef('genotype.id', '=', 'models.genotype_id').on('genotype.deleted_at', 'is', null),
    )
    .leftJoin('files as phenotype', (join) =>
      join.onRef('phenotype.id', '=', 'models.phenotype_id').on('phenotype.deleted_at', 'is', null),
    )
    .where('models.project_id', '=', projectId)
    .where('models.deleted_at', 'is', null)
    .select([
      'models.id',
      'models.name',
      'models.project_id',
      'projects.organization_id',
      'models.description',
      'models.traits',
      'models.seed',
      'models.parameters',
      'genotype.id as genotype_id',
      'phenotype.id as phenotype_id',
      'genotype.name as genotype_name',
      'phenotype.name as phenotype_name',
      'models.model_type',
      'models.n_fold',
      'models.n_repetition',
      'models.optimize_time',
      'models.include_dominance_effects',
      'models.created_by',
      'models.created_at',
      'models.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'))
    .select(traitRows.as('trait_rows'));

export interface ModelFilter {
  genotypeId?: string | undefined;
  phenotypeId?: string | undefined;
  name?: string | undefined;
  limit: number;
  /** Id of the last model seen. */
  after?: string | undefined;
}

/** Newest first. */
export async function listModels(db: Queryable, projectId: string, filter: ModelFilter): Promise<ModelRow[]> {
  const { genotypeId, phenotypeId, name, limit, after } = filter;
  return (await selectModels(db, projectId)
    .$if(genotypeId !== undefined, (query) => query.where('genotype.id', '=', genotypeId ?? null))
    .$if(phenotypeId !== undefined, (query) => query.where('phenotype.id', '=', phenotypeId ?? null))
    .$if(name !== undefined, (query) => query.where('models.name', 'ilike', containing(name ?? '')))
    .$if(after !== undefined, (query) => query.where('models.id', '<', after ?? ''))
    .orderBy('models.id', 'desc')
    .limit(limit + 1)
    .execute()) as unknown as ModelRow[];
}

export async function findModel(db: Queryable, projectId: string, id: string): Promise<ModelRow | undefined> {
  return (await selectModels(db, projectId).where('models.id', '=', id).executeTakeFirst()) as unknown as
    | ModelRow
    | undefined;
}

export interface NewModel {
  projectId: string;
  name: string;
  traits: string[];
  seed: number;
  parameters: ModelParameters;
  genotypeId: string;
  phenotypeId: string;
  nFold: number;
  nRepetition: number;
  optimizeTime: number | null;
  hasDominance: boolean;
  createdBy: string;
}

/** The model and a TRAINING row for each trait. */
export async function insertModel(db: Queryable, model: NewModel): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('models')
    .values({
      id,
      project_id: model.projectId,
      name: model.name,
      traits: model.traits,
      seed: model.seed,
      parameters: model.parameters,
      genotype_id: model.genotypeId,
      phenotype_id: model.phenotypeId,
      n_fold: model.nFold,
      n_repetition: model.nRepetition,
      optimize_time: model.optimizeTime,
      include_dominance_effects: model.hasDominance,
      created_by: model.createdBy,
    })
    .execute();
  await db
    .insertInto('model_traits')
    .values(model.traits.map((trait) => ({ model_id: id, trait })))
    .execute();
  return id;
}

/** What a trait comes to; keys of results are added to those there are. */
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

/** The one place where the status of a trait changes. */
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

/** Traits that still have something coming. */
const RUNNING: readonly ModelStatus[] = ['TRAINING', 'TRAINED', 'EVALUATING'];

export const isRunning = (status: ModelStatus): boolean => RUNNING.includes(status);

/** Ends every trait that still has something coming. */
export async function failRunningTraits(db: Queryable, modelId: string, error: ErrorExtra): Promise<void> {
  await db
    .updateTable('model_traits')
    .set({ status: 'ERROR', error_extra: error, updated_at: sql<string>`now()` })
    .where('model_id', '=', modelId)
    .where('status', '=', sql<ModelStatus>`any(${RUNNING}::text[])`)
    .execute();
}
