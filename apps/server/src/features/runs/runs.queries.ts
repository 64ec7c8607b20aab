import type { Reference } from '@heterosis/contracts/common';
import type { RunPath } from '@heterosis/contracts/run-kinds';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { SOFTWARE_VERSION } from '../../platform/config/config.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';
import type { ErrorExtra } from './error-extra.ts';
import { publishQueue, waitingRuns } from './queue.ts';

export type RunKind = 'import' | 'train' | 'evaluate' | 'predict' | 'gwas' | 'crossing' | 'phase';

/** The column of the entity that a run is for. */
export type RunOwner = 'file_id' | 'model_id' | 'prediction_id' | 'gwas_id' | 'crossing_simulation_id';

export interface RunRequestedBy {
  /** Null for what nobody asked for. */
  requestedBy: string | null;
  /** When that was, when it was not just now. */
  requestedAt?: string;
}

export interface NewRun extends RunRequestedBy {
  projectId: string;
  owner: RunOwner;
  ownerId: string;
  kind: RunKind;
  /** Null: the run serves all traits. */
  trait?: string;
  seed?: number;
  parameters?: Record<string, unknown>;
  /** Role of the input → SHA-256 of the original. */
  inputSha256?: Record<string, string>;
}

export interface Run {
  id: string;
  owner_id: string;
  kind: string;
  trait: string | null;
  state: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  stage: string;
  stage_started_at: string | null;
  /** Null once it has begun. */
  runs_before: number | null;
  progress_done: number;
  progress_total: number;
  attempt: number;
  jobs: JobReference[];
  seed: number | null;
  parameters: Record<string, unknown>;
  input_sha256: Record<string, string>;
  error_extra: ErrorExtra | null;
  requested_by: string | null;
  software_version: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Returns the id of the new run. */
export async function insertRun(db: Queryable, run: NewRun): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('runs')
    .values({
      id,
      project_id: run.projectId,
      [run.owner]: run.ownerId,
      kind: run.kind,
      requested_by: run.requestedBy,
      ...(run.requestedAt === undefined ? {} : { requested_at: run.requestedAt }),
      trait: run.trait ?? null,
      seed: run.seed ?? null,
      parameters: run.parameters ?? {},
      input_sha256: run.inputSha256 ?? {},
      software_version: SOFTWARE_VERSION,
    })
    .execute();
  return id;
}

/** For what follows a run: it was asked for with it. */
export async function findRequest(db: Queryable, runId: string): Promise<Required<RunRequestedBy>> {
  const { requested_by, requested_at } = await db
    .selectFrom('runs')
    .select(['requested_by', 'requested_at'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow();
  return { requestedBy: requested_by, requestedAt: requested_at };
}

export async function findOrganizationOfProject(db: Queryable, projectId: string): Promise<string> {
  const { organization_id } = await db
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return organization_id;
}

/** Remembers which jobs do the work, so that they can be cancelled. */
export async function attachJob(db: Queryable, runId: string, ...jobs: JobReference[]): Promise<void> {
  await db
    .updateTable('runs')
    .set({ jobs: sql`jobs || ${JSON.stringify(jobs)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}

/** Whether a job of that name was attached: a flow that stands needs not be planned again. */
export async function hasAttachedJob(db: Queryable, runId: string, job: string): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where(sql<boolean>`jobs @> ${JSON.stringify([{ job }])}::jsonb`)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes the work up: the number returned is the fence of this attempt, and whatever an older attempt still writes is
 * ignored. Undefined when the run has ended or is gone, so there is nothing to do.
 */
export async function takeUpRun(db: Queryable, runId: string): Promise<number | undefined> {
  const row = await db
    .updateTable('runs')
    .set({
      state: 'RUNNING',
      attempt: sql<number>`attempt + 1`,
      started_at: sql<string>`coalesce(started_at, now())`,
      updated_at: sql<string>`now()`,
      stage: 'read',
      stage_started_at: sql<string>`now()`,
      progress_done: 0,
      progress_total: 0,
      progress_parts: {},
    })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .returning('attempt')
    .executeTakeFirst();
  if (row !== undefined) await publishQueue(db);
  return row?.attempt;
}

/** Back among those that wait: this attempt failed in a way that may pass, or its worker shuts down. The queue does it again. */
export async function requeueRun(db: Queryable, runId: string, attempt: number): Promise<void> {
  await db
    .updateTable('runs')
    .set({ state: 'QUEUED', stage: 'queued', progress_done: 0, progress_total: 0, updated_at: sql<string>`now()` })
    .where('id', '=', runId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'RUNNING')
    .execute();
  await publishQueue(db);
}

/** Locks the run and says whether this attempt still holds it; ask it in the transaction that stores a result. */
export async function isCurrentRun(db: Queryable, runId: string, attempt: number): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('attempt', '=', attempt)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the run well. False when another attempt has taken over or the run was cancelled: then store nothing. */
export async function finishRun(db: Queryable, runId: string, attempt: number): Promise<boolean> {
  const row = await db
    .updateTable('runs')
    .set({
      state: 'SUCCEEDED',
      progress_done: sql<number>`progress_total`,
      finished_at: sql<string>`now()`,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', runId)
    .where('attempt', '=', attempt)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const failedWith = (error: ErrorExtra) =>
  ({
    state: 'FAILED',
    error_code: error.code,
    error_extra: error,
    finished_at: sql<string>`now()`,
    updated_at: sql<string>`now()`,
  }) as const;

/** Ends the run badly. False when it has ended already. */
export async function failRun(db: Queryable, runId: string, error: ErrorExtra): Promise<boolean> {
  const row = await db
    .updateTable('runs')
    .set(failedWith(error))
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends all unfinished runs of an entity, or those of one kind; returns the jobs to take out of the queue, or undefined when nothing was running. */
export async function cancelRuns(
  db: Queryable,
  owner: RunOwner,
  ownerId: string,
  kind?: RunKind,
): Promise<JobReference[] | undefined> {
  const rows = await db
    .updateTable('runs')
    .set({ state: 'CANCELLED', finished_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where(owner, '=', ownerId)
    .where('finished_at', 'is', null)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'import'))
    .returning('jobs')
    .execute();
  if (rows.length === 0) return undefined;
  await publishQueue(db);
  return rows.flatMap(({ jobs }) => jobs as JobReference[]);
}

/** What a run was asked for, with what came of it. */
export async function setRunParameters(
  db: Queryable,
  runId: string,
  parameters: Record<string, unknown>,
): Promise<void> {
  await db.updateTable('runs').set({ parameters }).where('id', '=', runId).execute();
}

/** The newest run of every entity, kind and trait. */
export async function findLatestRuns(db: Queryable, owner: RunOwner, ownerIds: readonly string[]): Promise<Run[]> {
  if (ownerIds.length === 0) return [];
  const rows = await db
    .selectFrom('runs')
    .leftJoin(waitingRuns.as('waiting'), (join) => join.onRef('waiting.id', '=', 'runs.id'))
    .distinctOn([owner, 'kind', 'trait'])
    .select([
      'runs.id',
      'waiting.runs_before',
      'stage_started_at',
      sql.ref<string>(owner).as('owner_id'),
      'kind',
      'trait',
      'state',
      'stage',
      'progress_done',
      'progress_total',
      'attempt',
      'jobs',
      'seed',
      'parameters',
      'input_sha256',
      'error_extra',
      'requested_by',
      'software_version',
      'created_at',
      'started_at',
      'finished_at',
    ])
    .where(owner, '=', sql<string>`any(${ownerIds}::uuid[])`)
    .orderBy(owner)
    .orderBy('kind')
    .orderBy('trait')
    .orderBy('runs.id', 'desc')
    .execute();
  return rows as Run[];
}

/** Whether a run that has not ended reads this file. */
export async function isReadByRuns(db: Queryable, projectId: string, fileId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from runs
    left join models on models.id = runs.model_id
    left join predictions on predictions.id = runs.prediction_id
    left join gwas on gwas.id = runs.gwas_id
    left join crossing_simulations as crossing on crossing.id = runs.crossing_simulation_id
    where runs.project_id = ${projectId} and runs.finished_at is null and ${fileId} in
      (models.genotype_id, models.phenotype_id, predictions.genotype_id, gwas.genotype_id, gwas.phenotype_id,
       crossing.genotype_id, crossing.crossing_table_id, crossing.linkage_map_id,
       case when runs.kind = 'phase' then runs.file_id end)
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Ends all unfinished runs of an entity with an error; returns them with their jobs, which have nothing left to do. */
export async function failRuns(
  db: Queryable,
  owner: RunOwner,
  ownerId: string,
  error: ErrorExtra,
): Promise<{ id: string; jobs: JobReference[] }[]> {
  const rows = await db
    .updateTable('runs')
    .set(failedWith(error))
    .where(owner, '=', ownerId)
    .where('finished_at', 'is', null)
    .returning(['id', 'jobs'])
    .execute();
  if (rows.length > 0) await publishQueue(db);
  return rows.map(({ id, jobs }) => ({ id, jobs: jobs as JobReference[] }));
}

/** Named runs of a kind with this input in one of the columns, oldest first, not counting the bin. */
export async function listNamedRunsUsing(
  db: Queryable,
  table: RunPath,
  columns: readonly string[],
  { projectId, inputId }: { projectId: string; inputId: string },
): Promise<Reference[]> {
  const inputs = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql<Reference>`
    select id, name from ${sql.table(table)}
    where project_id = ${projectId} and deleted_at is null and ${inputId} in (${inputs})
    order by id
  `.execute(db);
  return rows;
}
