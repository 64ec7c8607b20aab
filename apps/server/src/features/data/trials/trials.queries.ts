import type { Trial, TrialDesign, TrialState } from '@heterosis/contracts/data/trials';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { containing } from '../../people/projects/index.ts';
import type { ClientDetails } from './client-details.ts';
import type { LayoutSummary } from './layout.ts';

const trials = (db: Queryable, projectIds: readonly string[]) =>
  db
    .selectFrom('trials as one')
    .leftJoin('users', 'users.id', 'one.created_by')
    .where(sql<boolean>`one.project_id = any(${projectIds}::uuid[])`)
    .where('one.deleted_at', 'is', null)
    .select([
      'one.id',
      'one.project_id',
      'one.name',
      'one.description',
      'one.season',
      'one.location_name',
      'one.latitude',
      'one.longitude',
      'one.plot_name',
      'one.sown_on',
      'one.harvested_on',
      'one.plot_length_m',
      'one.plot_width_m',
      'one.state',
      'one.client_values',
      'one.traits',
      'one.plot_count as plots',
      'one.entry_count as entries',
      'one.collected',
      'one.file_id',
      'one.created_by as created_by_id',
      'one.created_at',
      'one.updated_at',
      'one.version',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('created_by'))
    .select(sql<number>`one.planted_count * cardinality(one.traits)`.as('expected'))
    .select((trial) => [
      trial.ref('one.design').$castTo<TrialDesign | null>().as('design'),
      trial.ref('one.thumbnail').$castTo<Trial['thumbnail']>().as('thumbnail'),
    ]);

export interface TrialFilter {
  season?: string | undefined;
  state?: TrialState | undefined;
  name?: string | undefined;
  limit: number;
  /** Id of the last trial of the page before. */
  after?: string | undefined;
}

/** The newest first; one row more than `limit` if there is a next page. */
export async function listTrials(
  db: Queryable,
  projectId: string,
  { season, state, name, limit, after }: TrialFilter,
): Promise<Trial[]> {
  return await trials(db, [projectId])
    .$if(season !== undefined, (query) => query.where('one.season', '=', season ?? ''))
    .$if(state !== undefined, (query) => query.where('one.state', '=', state ?? 'DRAFT'))
    .$if(name !== undefined && name !== '', (query) =>
      query.where((where) =>
        where.or([
          where('one.name', 'ilike', containing(name ?? '')),
          where('one.location_name', 'ilike', containing(name ?? '')),
        ]),
      ),
    )
    .$if(after !== undefined, (query) => query.where('one.id', '<', after ?? ''))
    .orderBy('one.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findTrial(db: Queryable, projectId: string, id: string): Promise<Trial | undefined> {
  return await trials(db, [projectId]).where('one.id', '=', id).executeTakeFirst();
}

/** How the trials of a project are called, and where they are. */
export async function listNamedTrials(
  db: Queryable,
  projectId: string,
): Promise<{ id: string; name: string; location_name: string; season: string; state: TrialState }[]> {
  return await db
    .selectFrom('trials')
    .select(['id', 'name', 'location_name', 'season', 'state'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

export interface LockedTrial {
  name: string;
  location_name: string;
  state: TrialState;
  client_values: Trial['client_values'];
  version: number;
  plot_name: string;
  plot_count: number;
  traits: string[];
}

/** Locks a trial until the end of the transaction; undefined when it does not exist or is in the bin. */
export async function lockTrial(db: Queryable, projectId: string, id: string): Promise<LockedTrial | undefined> {
  return await db
    .selectFrom('trials')
    .select(['name', 'location_name', 'state', 'client_values', 'version', 'plot_name', 'plot_count', 'traits'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** What people say of a trial. */
export interface TrialFields {
  name: string;
  description: string | null;
  season: string;
  location_name: string;
  latitude: number | null;
  longitude: number | null;
  sown_on: string | null;
  harvested_on: string | null;
  plot_length_m: number | null;
  plot_width_m: number | null;
  traits: string[];
  plot_name: string;
  client_details?: ClientDetails | null;
}

/** The file that a trial was opened from, and its environment there. */
export interface OpenedFrom {
  opened_file_id: string;
  opened_environment: string | null;
}

export async function insertTrial(
  db: Queryable,
  trial: TrialFields &
    LayoutSummary &
    Partial<OpenedFrom> & { project_id: string; created_by: string; design: TrialDesign | null },
): Promise<string> {
  const id = uuidv7();
  const { design, thumbnail, client_details: details, ...row } = trial;
  await db
    .insertInto('trials')
    .values({
      id,
      ...row,
      design: design && JSON.stringify(design),
      thumbnail: thumbnail && JSON.stringify(thumbnail),
      client_details: details == null ? null : JSON.stringify(details),
    })
    .execute();
  return id;
}

export type TrialChange = { [Field in keyof TrialFields]?: TrialFields[Field] | undefined } & {
  state?: TrialState | undefined;
};

/** Undefined fields stay unchanged. */
export async function updateTrial(
  db: Queryable,
  projectId: string,
  id: string,
  { client_details: details, ...change }: TrialChange,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  await db
    .updateTable('trials')
    .set({
      ...given,
      ...(details === undefined ? {} : { client_details: details && JSON.stringify(details) }),
      version: sql<number>`version + 1`,
      revision: sql<number>`revision + 1`,
      updated_at: sql<string>`now()`,
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/** Another layout; an undefined design stays. */
export async function updateLayout(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
  { thumbnail, ...counts }: LayoutSummary,
  { design, plot_name }: { design?: TrialDesign | null | undefined; plot_name: string },
): Promise<void> {
  await db
    .updateTable('trials')
    .set({
      ...counts,
      plot_name,
      thumbnail: thumbnail && JSON.stringify(thumbnail),
      ...(design === undefined ? {} : { design: design && JSON.stringify(design) }),
      version: sql<number>`version + 1`,
      revision: sql<number>`revision + 1`,
      updated_at: sql<string>`now()`,
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/** Counts the collected values of a trial anew, for a change of its traits or of what stands where. */
export async function recountCollected(db: Queryable, id: string): Promise<void> {
  await sql`
    update trials set collected = (
      select count(*) from (
        select distinct o.plot, o.trait from trial_observations as o
        join trial_plots as p on p.trial_id = o.trial_id and p.number = o.plot
        where o.trial_id = trials.id and o.is_current and o.state = 'KEPT' and o.trait = any(trials.traits)
          and p.kind in ('ENTRY', 'CHECK')
      ) as cells
    ) where id = ${id}
  `.execute(db);
}

/** Whether something was observed on its plots: values or photos. */
export async function hasObservations(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from trial_observations where trial_id = ${id} union all select from photos where trial_id = ${id} limit 1
  `.execute(db);
  return rows.length > 0;
}

export interface Freezing {
  revision: number;
  filed_revision: number;
  /** Of which frozen values are versions; null before the first. */
  file_id: string | null;
}

export async function findFreezing(db: Queryable, id: string): Promise<Freezing> {
  return await db
    .selectFrom('trials')
    .select(['revision', 'filed_revision', 'file_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The latest version of the file of a trial that is not deleted. */
export async function findFrozenFile(
  db: Queryable,
  projectId: string,
  fileId: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select f.id from files as f left join file_versions as v on v.file_id = f.id
    where f.project_id = ${projectId} and f.deleted_at is null
      and (f.id = ${fileId}::uuid or v.version_of = ${fileId}::uuid)
    order by coalesce(v.version, 0) desc limit 1
  `.execute(db);
  return rows[0]?.id;
}

export async function updateFrozen(
  db: Queryable,
  id: string,
  { fileId, revision }: { fileId: string; revision: number },
): Promise<void> {
  await db.updateTable('trials').set({ file_id: fileId, filed_revision: revision }).where('id', '=', id).execute();
}

/** A phenotype file with the plots of a trial. */
export interface FileOfTrial {
  id: string;
  /** Ids that it had in other installations. */
  former_ids: string[];
  /** The trial in it; null where the file has no other. */
  environment: string | null;
}

/** The file that a trial was opened from, and the versions in which its values were frozen. */
export async function listFilesOfTrial(db: Queryable, projectId: string, id: string): Promise<FileOfTrial[]> {
  const { rows } = await sql<FileOfTrial>`
    select f.id, coalesce(f.meta -> 'former_ids', '[]') as former_ids,
      case when f.id = t.opened_file_id then t.opened_environment end as environment
    from trials as t
    join files as f on f.project_id = t.project_id and (f.id in (t.opened_file_id, t.file_id)
      or f.id in (select file_id from file_versions where version_of = t.file_id))
    where t.project_id = ${projectId} and t.id = ${id}
  `.execute(db);
  return rows;
}

/** With the number of its writes. */
export type TrialOfProject = Trial & { revision: number; client_details: ClientDetails | null };

/** Trials of projects, or some of them, the oldest first. */
export async function listTrialsOfProjects(
  db: Queryable,
  projectIds: readonly string[],
  ids?: readonly string[],
): Promise<TrialOfProject[]> {
  return await trials(db, projectIds)
    .select('one.revision')
    .select((trial) => trial.ref('one.client_details').$castTo<ClientDetails | null>().as('client_details'))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`one.id = any(${ids ?? []}::uuid[])`))
    .orderBy('one.id')
    .execute();
}
