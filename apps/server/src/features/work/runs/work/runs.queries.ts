import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { SOFTWARE_VERSION } from '../../../../platform/config/config.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import type { ErrorExtra } from './error-extra.ts';
import { publishQueue, waitingRuns } from './queue.ts';

/**
 * The subject of a run: a file that is checked or phased, an upload of germplasm, an import from another server or of
 * a data package, or a run of a kind.
 */
export interface RunEntity {
  entity_kind: 'file' | 'germplasm_upload' | 'brapi_import' | 'package_import' | RunKind;
  entity_id: string;
}

/** Germplasm belongs to an organization, whose projects share it; everything else belongs to a project. */
export type TenantColumn<Kind extends RunEntity['entity_kind']> = Kind extends 'germplasm_upload'
  ? 'organization_id'
  : 'project_id';

/** The column of `runs` that keys the runs of a kind of entity; the other one is null. */
export const tenantColumn = <Kind extends RunEntity['entity_kind']>(kind: Kind): TenantColumn<Kind> =>
  (kind === 'germplasm_upload' ? 'organization_id' : 'project_id') as TenantColumn<Kind>;

/** Whose a run is. */
export interface RunTenant {
  project_id?: string | null;
  organization_id?: string | null;
}

export function tenantIdOf({ entity_kind, ...run }: RunTenant & Pick<RunEntity, 'entity_kind'>): string {
  const id = run[tenantColumn(entity_kind)];
  if (id == null) throw new Error(`A run for a ${entity_kind} has no ${tenantColumn(entity_kind)}.`);
  return id;
}

export interface RunRequestedBy {
  /** Null when no user requested it. */
  requested_by: string | null;
  /** Defaults to now. */
  requested_at?: string;
}

export interface NewRun extends RunEntity, RunRequestedBy, RunTenant {
  /** The work done for the entity: `import`, `train`, `evaluate` … Each feature names its own. */
  step: string;
  seed?: number | undefined;
  parameters?: Record<string, unknown>;
  /** Role of the input → SHA-256 of the original. */
  input_sha256?: Record<string, string>;
}

export interface Run {
  id: string;
  entity_id: string;
  step: string;
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
    .values({ id, ...run, software_version: SOFTWARE_VERSION })
    .execute();
  return id;
}

/** Who requested a run, and when: a follow-up step takes over both. */
export async function findRequest(db: Queryable, runId: string): Promise<Required<RunRequestedBy>> {
  return await db
    .selectFrom('runs')
    .select(['requested_by', 'requested_at'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow();
}

export async function findOrganizationOf(
  db: Queryable,
  run: RunTenant & Pick<RunEntity, 'entity_kind'>,
): Promise<string> {
  const tenantId = tenantIdOf(run);
  if (tenantColumn(run.entity_kind) === 'organization_id') return tenantId;
  const { organization_id } = await db
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return organization_id;
}

/** Records which jobs do the work, so that they can be cancelled. */
export async function attachJob(db: Queryable, runId: string, ...jobs: JobReference[]): Promise<void> {
  await db
    .updateTable('runs')
    .set({ jobs: sql`jobs || ${JSON.stringify(jobs)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}

/** Forgets the jobs of a run that goes on with another, and adds the hashes of inputs that are known by now. */
export async function detachJobs(
  db: Queryable,
  runId: string,
  hashes: Readonly<Record<string, string | null>>,
): Promise<void> {
  await db
    .updateTable('runs')
    .set({ jobs: '[]', input_sha256: sql`input_sha256 || ${JSON.stringify(hashes)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}

/** Marks a run that waits for another one as begun, and says how far that one is. False if the run has ended. */
export async function showAwaited(
  db: Queryable,
  runId: string,
  awaited: Pick<Run, 'stage' | 'progress_done' | 'progress_total'>,
  job: JobReference,
): Promise<boolean> {
  const row = await db
    .updateTable('runs')
    .set({
      ...awaited,
      state: 'RUNNING',
      // Of the jobs that look, one after the other, only the next one counts.
      jobs: JSON.stringify([job]),
      started_at: sql<string>`coalesce(started_at, now())`,
      stage_started_at: sql<string>`case when stage = ${awaited.stage} then stage_started_at else now() end`,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a job of this name is attached: if so, the flow exists and must not be planned again. */
export async function hasAttachedJob(db: Queryable, runId: string, job: string): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where(sql<boolean>`jobs @> ${JSON.stringify([{ job }])}::jsonb`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a job is the last of its name that was attached to a run. */
export async function isLastAttached(db: Queryable, runId: string, id: string, job: string): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select(
      sql<string | null>`(
      select one ->> 'id' from jsonb_array_elements(jobs) with ordinality as attached (one, place)
      where one ->> 'job' = ${job} order by place desc limit 1)`.as('last'),
    )
    .where('id', '=', runId)
    .executeTakeFirst();
  return row?.last === id;
}

/**
 * Starts an attempt and returns its number. The number fences off older attempts: anything they still write is
 * ignored. Undefined when the run has ended or no longer exists; there is then nothing to do.
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

/**
 * Marks the run as waiting: the attempt failed with a transient error, or its worker is shutting down. The queue
 * retries.
 */
export async function putBackRun(db: Queryable, runId: string, attempt: number): Promise<void> {
  await db
    .updateTable('runs')
    .set({ state: 'QUEUED', stage: 'queued', progress_done: 0, progress_total: 0, updated_at: sql<string>`now()` })
    .where('id', '=', runId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'RUNNING')
    .execute();
  await publishQueue(db);
}

/**
 * Locks the run and returns whether this attempt is still the current one. Call it in the transaction that stores a
 * result.
 */
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

/**
 * Ends the run with success, and adds the outcome to its parameters. False when another attempt has taken over or the
 * run was cancelled: nothing may then be stored.
 */
export async function finishRun(
  db: Queryable,
  runId: string,
  attempt: number,
  outcome: Record<string, unknown> = {},
): Promise<boolean> {
  const row = await db
    .updateTable('runs')
    .set({
      state: 'SUCCEEDED',
      parameters: sql`parameters || ${JSON.stringify(outcome)}::jsonb`,
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

/** Ends the run with an error. False if it has already ended. */
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

/**
 * Ends all unfinished runs of an entity, or those of one step; returns the jobs to take out of the queue, or undefined
 * if none was unfinished.
 */
export async function cancelRuns(
  db: Queryable,
  { entity_kind, entity_id }: RunEntity,
  step?: string,
): Promise<JobReference[] | undefined> {
  const rows = await db
    .updateTable('runs')
    .set({ state: 'CANCELLED', finished_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('entity_kind', '=', entity_kind)
    .where('entity_id', '=', entity_id)
    .where('finished_at', 'is', null)
    .$if(step !== undefined, (query) => query.where('step', '=', step ?? ''))
    .returning('jobs')
    .execute();
  if (rows.length === 0) return undefined;
  await publishQueue(db);
  return rows.flatMap(({ jobs }) => jobs as JobReference[]);
}

/** The newest run of every step and trait, for each of these entities. */
export async function findLatestRuns(
  db: Queryable,
  entityKind: RunEntity['entity_kind'],
  entityIds: readonly string[],
): Promise<Run[]> {
  if (entityIds.length === 0) return [];
  const rows = await db
    .selectFrom('runs')
    .leftJoin(waitingRuns.as('waiting'), (join) => join.onRef('waiting.id', '=', 'runs.id'))
    .distinctOn(['entity_id', 'step', 'trait'])
    .select([
      'runs.id',
      'waiting.runs_before',
      'stage_started_at',
      'entity_id',
      'step',
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
    .where('entity_kind', '=', entityKind)
    .where('entity_id', '=', sql<string>`any(${entityIds}::uuid[])`)
    .orderBy('entity_id')
    .orderBy('step')
    .orderBy('trait')
    .orderBy('runs.id', 'desc')
    .execute();
  return rows as Run[];
}

/** Ends all unfinished runs of an entity with an error; returns them with their jobs, which the caller cancels. */
export async function failRuns(
  db: Queryable,
  { entity_kind, entity_id }: RunEntity,
  error: ErrorExtra,
): Promise<{ id: string; jobs: JobReference[] }[]> {
  const rows = await db
    .updateTable('runs')
    .set(failedWith(error))
    .where('entity_kind', '=', entity_kind)
    .where('entity_id', '=', entity_id)
    .where('finished_at', 'is', null)
    .returning(['id', 'jobs'])
    .execute();
  if (rows.length > 0) await publishQueue(db);
  return rows.map(({ id, jobs }) => ({ id, jobs: jobs as JobReference[] }));
}
