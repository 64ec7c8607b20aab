import type { RunStatus } from '@heterosis/contracts/runs';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';
import { containing } from '../projects/index.ts';
import type { ErrorExtra } from '../runs/index.ts';

export type PredictionResultKind = 'csv' | 'table';

/** How the markers of the model were found, as the analysis says it. */
export interface PredictionReportRow {
  model_markers: number;
  shared: number;
  by_position: number;
  missing: number;
  swapped: number;
  mismatched: number;
  variance_share: number | null;
  imputed_calls: number;
  individuals: number;
}

export interface PredictionRow {
  id: string;
  name: string;
  project_id: string;
  organization_id: string;
  description: string | null;
  traits: string[];
  parameters: { min_marker_share: number };
  /** Null when file or model were deleted. */
  genotype_id: string | null;
  model_id: string | null;
  genotype_name: string | null;
  model_name: string | null;
  status: RunStatus;
  error_extra: ErrorExtra | null;
  report: PredictionReportRow | null;
  result_keys: Partial<Record<PredictionResultKind, string>>;
  created_by: string | null;
  /** Name, or address of a person without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
}

const selectPredictions = (db: Queryable, projectId: string) =>
  db
    .selectFrom('predictions')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'predictions.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'predictions.created_by')
    .leftJoin('files as genotype', (join) =>
      join.onRef('genotype.id', '=', 'predictions.genotype_id').on('genotype.deleted_at', 'is', null),
    )
    .leftJoin('models', (join) =>
      join
        .onRef('models.id', '=', 'predictions.model_id')
        // Known already, but without it the filters by model go through the models of all projects.
        .onRef('models.project_id', '=', 'predictions.project_id')
        .on('models.deleted_at', 'is', null),
    )
    .where('predictions.project_id', '=', projectId)
    .where('predictions.deleted_at', 'is', null)
    .select([
      'predictions.id',
      'predictions.name',
      'predictions.project_id',
      'projects.organization_id',
      'predictions.description',
      'predictions.traits',
      'predictions.parameters',
      'genotype.id as genotype_id',
      'genotype.name as genotype_name',
      'models.id as model_id',
      'models.name as model_name',
      'predictions.status',
      'predictions.error_extra',
      'predictions.report',
      'predictions.result_keys',
      'predictions.created_by',
      'predictions.created_at',
      'predictions.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'));

export interface PredictionFilter {
  name?: string | undefined;
  modelId?: string | undefined;
  modelName?: string | undefined;
  modelGenotypeId?: string | undefined;
  modelPhenotypeId?: string | undefined;
  limit: number;
  /** Id of the last prediction seen. */
  after?: string | undefined;
}

/** Newest first. */
export async function listPredictions(
  db: Queryable,
  projectId: string,
  filter: PredictionFilter,
): Promise<PredictionRow[]> {
  const { name, modelId, modelName, modelGenotypeId, modelPhenotypeId, limit, after } = filter;
  return (await selectPredictions(db, projectId)
    .$if(name !== undefined, (query) => query.where('predictions.name', 'ilike', containing(name ?? '')))
    .$if(modelId !== undefined, (query) => query.where('models.id', '=', modelId ?? null))
    .$if(modelName !== undefined, (query) => query.where('models.name', 'ilike', containing(modelName ?? '')))
    .$if(modelGenotypeId !== undefined, (query) => query.where('models.genotype_id', '=', modelGenotypeId ?? null))
    .$if(modelPhenotypeId !== undefined, (query) => query.where('models.phenotype_id', '=', modelPhenotypeId ?? null))
    .$if(after !== undefined, (query) => query.where('predictions.id', '<', after ?? ''))
    .orderBy('predictions.id', 'desc')
    .limit(limit + 1)
    .execute()) as unknown as PredictionRow[];
}

export async function findPrediction(db: Queryable, projectId: string, id: string): Promise<PredictionRow | undefined> {
  return (await selectPredictions(db, projectId).where('predictions.id', '=', id).executeTakeFirst()) as unknown as
    | PredictionRow
    | undefined;
}

export interface NewPrediction {
  projectId: string;
  name: string;
  traits: string[];
  genotypeId: string;
  modelId: string;
  minMarkerShare: number;
  createdBy: string;
}

export async function insertPrediction(db: Queryable, prediction: NewPrediction): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('predictions')
    .values({
      id,
      project_id: prediction.projectId,
      name: prediction.name,
      traits: prediction.traits,
      // Nothing in a prediction is random.
      seed: 0,
      parameters: { min_marker_share: prediction.minMarkerShare },
      genotype_id: prediction.genotypeId,
      model_id: prediction.modelId,
      created_by: prediction.createdBy,
    })
    .execute();
  return id;
}

export type PredictionState =
  | { status: 'PROCESSING' }
  | { status: 'ERROR'; error_extra: ErrorExtra }
  | {
      status: 'SUCCESS';
      report: PredictionReportRow;
      result_keys: Partial<Record<PredictionResultKind, string>>;
    };

/** The one place where the status changes. */
export async function updatePredictionStatus(
  db: Queryable,
  projectId: string,
  id: string,
  state: PredictionState,
): Promise<void> {
  await db
    .updateTable('predictions')
    .set({ error_extra: null, ...state, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}
