import type { CrossingParameters, CrossingReport } from '@heterosis/contracts/crossing-simulations';
import type { RunStatus } from '@heterosis/contracts/runs';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';
import { containing } from '../projects/index.ts';
import type { ErrorExtra } from '../runs/index.ts';

/** Tables for download, and those that pages are read from. */
export type CrossingResultKind = 'csv' | 'table' | 'progeny_csv' | 'progeny_table';

export interface CrossingSimulationRow {
  id: string;
  name: string;
  project_id: string;
  organization_id: string;
  description: string | null;
  traits: string[];
  seed: number;
  parameters: CrossingParameters;
  /** Null when they were deleted, and the linkage map also when none was chosen. */
  model_id: string | null;
  genotype_id: string | null;
  crossing_table_id: string | null;
  linkage_map_id: string | null;
  model_name: string | null;
  genotype_name: string | null;
  crossing_table_name: string | null;
  linkage_map_name: string | null;
  status: RunStatus;
  error_extra: ErrorExtra | null;
  report: CrossingReport | null;
  result_keys: Partial<Record<CrossingResultKind, string>>;
  created_by: string | null;
  /** Name, or address of a person without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
}

const selectCrossingSimulations = (db: Queryable, projectId: string) =>
  db
    .selectFrom('crossing_simulations as one')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'one.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'one.created_by')
    .leftJoin('models', (join) => join.onRef('models.id', '=', 'one.model_id').on('models.deleted_at', 'is', null))
    .leftJoin('files as genotype', (join) =>
      join.onRef('genotype.id', '=', 'one.genotype_id').on('genotype.deleted_at', 'is', null),
    )
    .leftJoin('files as crossing_table', (join) =>
      join.onRef('crossing_table.id', '=', 'one.crossing_table_id').on('crossing_table.deleted_at', 'is', null),
    )
    .leftJoin('files as linkage_map', (join) =>
      join.onRef('linkage_map.id', '=', 'one.linkage_map_id').on('linkage_map.deleted_at', 'is', null),
    )
    .where('one.project_id', '=', projectId)
    .where('one.deleted_at', 'is', null)
    .select([
      'one.id',
      'one.name',
      'one.project_id',
      'projects.organization_id',
      'one.description',
      'one.traits',
      'one.seed',
      'one.parameters',
      'models.id as model_id',
      'models.name as model_name',
      'genotype.id as genotype_id',
      'genotype.name as genotype_name',
      'crossing_table.id as crossing_table_id',
      'crossing_table.name as crossing_table_name',
      'linkage_map.id as linkage_map_id',
      'linkage_map.name as linkage_map_name',
      'one.status',
      'one.error_extra',
      'one.report',
      'one.result_keys',
      'one.created_by',
      'one.created_at',
      'one.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'));

export interface CrossingSimulationFilter {
  name?: string | undefined;
  crossingTableId?: string | undefined;
  genotypeId?: string | undefined;
  linkageMapId?: string | undefined;
  limit: number;
  /** Id of the last one seen. */
  after?: string | undefined;
}

/** Newest first. */
export async function listCrossingSimulations(
  db: Queryable,
  projectId: string,
  { name, crossingTableId, genotypeId, linkageMapId, limit, after }: CrossingSimulationFilter,
): Promise<CrossingSimulationRow[]> {
  return (await selectCrossingSimulations(db, projectId)
    .$if(name !== undefined, (query) => query.where('one.name', 'ilike', containing(name ?? '')))
    .$if(crossingTableId !== undefined, (query) => query.where('crossing_table.id', '=', crossingTableId ?? null))
    .$if(genotypeId !== undefined, (query) => query.where('genotype.id', '=', genotypeId ?? null))
    .$if(linkageMapId !== undefined, (query) => query.where('linkage_map.id', '=', linkageMapId ?? null))
    .$if(after !== undefined, (query) => query.where('one.id', '<', after ?? ''))
    .orderBy('one.id', 'desc')
    .limit(limit + 1)
    .execute()) as unknown as CrossingSimulationRow[];
}

export async function findCrossingSimulation(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<CrossingSimulationRow | undefined> {
  return (await selectCrossingSimulations(db, projectId).where('one.id', '=', id).executeTakeFirst()) as unknown as
    | CrossingSimulationRow
    | undefined;
}

export interface NewCrossingSimulation {
  projectId: string;
  name: string;
  traits: string[];
  seed: number;
  parameters: CrossingParameters;
  modelId: string;
  genotypeId: string;
  crossingTableId: string;
  linkageMapId: string | null;
  createdBy: string;
}

export async function insertCrossingSimulation(db: Queryable, one: NewCrossingSimulation): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('crossing_simulations')
    .values({
      id,
      project_id: one.projectId,
      name: one.name,
      traits: one.traits,
      seed: one.seed,
      parameters: one.parameters,
      model_id: one.modelId,
      genotype_id: one.genotypeId,
      crossing_table_id: one.crossingTableId,
      linkage_map_id: one.linkageMapId,
      created_by: one.createdBy,
    })
    .execute();
  return id;
}

export type CrossingSimulationState =
  | { status: 'PROCESSING' }
  | { status: 'ERROR'; error_extra: ErrorExtra }
  | { status: 'SUCCESS'; report: CrossingReport; result_keys: Partial<Record<CrossingResultKind, string>> };

/** The one place where the status changes. */
export async function updateCrossingSimulationStatus(
  db: Queryable,
  projectId: string,
  id: string,
  state: CrossingSimulationState,
): Promise<void> {
  await db
    .updateTable('crossing_simulations')
    .set({ error_extra: null, ...state, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}
