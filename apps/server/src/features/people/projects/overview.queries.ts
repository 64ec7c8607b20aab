import { derivationStep, FILE_TYPES, type FileType, fileType } from '@heterosis/contracts/data/files';
import type { FailedThing, OverviewResults, ProjectOverview, RecentRun } from '@heterosis/contracts/people/projects';
import { ENDED_STATES, RUN_KINDS, type RunKind, runPaths } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { placesOfTraits } from './project-traits.queries.ts';

/** A kind of run, as the overview needs it; supplied by the entry point. */
export interface OverviewKind {
  kind: RunKind;
  /** The key figure, over the kind's table with the alias `one`. */
  keyFigure: RawBuilder<string | null>;
  /** The main figures of the newest runs of the kind. */
  overviewResults?(db: Queryable, projectId: string): Promise<Partial<OverviewResults>>;
}

const RECENT = 12;
/** Failures that are named; the others are counted. */
const FAILED = 5;

/** The contents of a project and its latest runs, for the overview page. */
export async function readOverview({
  services: { db },
  access: { projectId },
  kinds,
}: ProjectCall & { kinds: readonly OverviewKind[] }): Promise<ProjectOverview> {
  const files = await countFiles(db, projectId);
  const runs = runPaths.map(
    (path) => sql`
      (select count(*) from ${sql.table(path)} where project_id = ${projectId} and deleted_at is null)::int as ${sql.ref(path)}`,
  );
  const { rows } = await sql<Omit<ProjectOverview, 'files' | 'failed' | 'failed_total' | 'results' | 'recent'>>`
    select
      coalesce(max(row_count), 0)::int as individuals,
      coalesce(max(column_count), 0)::int as markers,
      coalesce((
        select array_agg(name order by place) from ${placesOfTraits(projectId)} as places
      ), '{}') as traits,
      jsonb_build_object('genotype_id', ${newestFile(projectId, 'GENOTYPE')},
        'phenotype_id', ${newestFile(projectId, 'PHENOTYPE')}) as newest,
      ${sql.join(runs)}
    from files where project_id = ${projectId} and deleted_at is null and file_type = 'GENOTYPE'
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('Counting gives one row');
  return {
    ...row,
    files,
    ...(await listFailed(db, projectId, kinds)),
    results: await readResults(db, projectId, kinds),
    recent: await listRecent(db, projectId, kinds),
  };
}

async function readResults(db: Queryable, projectId: string, kinds: readonly OverviewKind[]): Promise<OverviewResults> {
  const results: OverviewResults = { accuracies: [], associations: [], ranking: null, crosses: null };
  for (const kind of kinds) Object.assign(results, await kind.overviewResults?.(db, projectId));
  return results;
}

const newestFile = (projectId: string, type: FileType) => sql`(
  select id from files where project_id = ${projectId} and deleted_at is null and file_type = ${type}
    and status in ('READY', 'READY_WITH_WARNINGS')
  order by created_at desc, id desc limit 1)`;

async function countFiles(db: Queryable, projectId: string): Promise<ProjectOverview['files']> {
  const rows = await db
    .selectFrom('files')
    .select(['file_type', sql<number>`count(*)::int`.as('files')])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .groupBy('file_type')
    .execute();
  const counts = new Map(rows.map(({ file_type, files }) => [file_type ?? 'other', files]));
  // One entry per type: the keys are those of the contract.
  return Object.fromEntries(
    [...fileType.options, 'other' as const].map((type) => [type.toLowerCase(), counts.get(type) ?? 0]),
  ) as ProjectOverview['files'];
}

async function listRecent(db: Queryable, projectId: string, kinds: readonly OverviewKind[]): Promise<RecentRun[]> {
  const runs = kinds.map(
    ({ kind, keyFigure }) => sql`
      select ${sql.lit(kind)} as kind, one.id, one.name, one.created_at, ${stateOf(kind)} as state, ${keyFigure} as key_figure
      from (${latestOf(RUN_KINDS[kind].path, projectId)}) as one`,
  );
  const files = sql`
    select 'import', one.id, one.name, one.created_at,
      case when one.status in ('UPLOADED', 'CHECKING') then 'processing' when one.status = 'INVALID' then 'error' else 'success' end,
      case ${sql.join(
        fileType.options.map(
          (type) => sql`when one.file_type = ${sql.lit(type)} then
            ${counted('row_count', FILE_TYPES[type].rows)} || ', ' || ${counted('column_count', FILE_TYPES[type].columns)}`,
        ),
        sql` `,
      )} end
    from (${latestOf('files', projectId)}) as one`;
  const { rows } = await sql<
    Omit<RecentRun, 'created_at' | 'finished_at'> & { created_at: string; finished_at: string | null }
  >`
    with recent as (
      ${sql.join([...runs, files], sql` union all `)}
      order by created_at desc, id desc
      limit ${RECENT}
    )
    select recent.kind, recent.id, recent.name, recent.created_at, recent.key_figure,
      case when recent.state = 'error' and run.is_cancelled then 'cancelled' else recent.state end as state,
      run.progress, coalesce(run.is_waiting, false) as is_waiting, run.finished_at
    from recent
    left join lateral (
      select finished_at, state = 'QUEUED' as is_waiting, state = 'CANCELLED' as is_cancelled,
        case when finished_at is null and progress_total > 0 then least(1, progress_done / progress_total) end as progress
      from runs
      where runs.project_id = ${projectId} and runs.step <> all(${derivationStep.options}::text[]) and runs.entity_id = recent.id
      order by runs.id desc limit 1
    ) as run on true
    order by recent.created_at desc, recent.id desc
  `.execute(db);
  return rows;
}

/** Invalid files and failed runs, the newest first. A run that somebody stopped needs no attention. */
async function listFailed(
  db: Queryable,
  projectId: string,
  kinds: readonly OverviewKind[],
): Promise<Pick<ProjectOverview, 'failed' | 'failed_total'>> {
  const runs = kinds.map(
    ({ kind }) => sql`
      select ${sql.lit(kind)} as kind, one.id, one.name, one.created_at, one.error ->> 'message' as reason
      from (
        select *, ${errorOf(kind)} as error from ${sql.table(RUN_KINDS[kind].path)} as one
        where project_id = ${projectId} and deleted_at is null
      ) as one
      where one.error is not null`,
  );
  const files = sql`
    select 'import', id, name, created_at, null from files
    where project_id = ${projectId} and deleted_at is null and status = 'INVALID'`;
  const { rows } = await sql<FailedThing & { total: number }>`
    select kind, id, name, created_at, reason, (count(*) over ())::int as total
    from (${sql.join([...runs, files], sql` union all `)}) as failed
    order by created_at desc, id desc limit ${FAILED}
  `.execute(db);
  return { failed: rows.map(({ total: _, ...thing }) => thing), failed_total: rows[0]?.total ?? 0 };
}

/** Why a run failed: what is stored of its first failed trait, or of the run; null unless it failed. */
function errorOf(kind: RunKind): RawBuilder<unknown> {
  const failed = sql`status = 'ERROR' and error_extra ->> 'code' is distinct from 'runs/cancelled'`;
  if (!RUN_KINDS[kind].perTrait) return sql`case when ${failed} then coalesce(error_extra, '{}') end`;
  return sql`(
    select coalesce(error_extra, '{}') from ${sql.table(`${kind}_traits`)}
    where ${sql.ref(`${kind}_id`)} = one.id and ${failed} order by trait limit 1)`;
}

/** `281 individuals`; null without a count. */
const counted = (
  column: 'row_count' | 'column_count',
  [one, several]: readonly [string, string],
): RawBuilder<string> => {
  const count = sql.ref(`one.${column}`);
  return sql`trim(to_char(${count}, '999,999,999')) || case ${count} when 1 then ${sql.lit(` ${one}`)} else ${sql.lit(` ${several}`)} end`;
};

/** Overall state of a run: processing while any trait is, error if any trait failed. */
function stateOf(kind: RunKind): RawBuilder<string> {
  const ended = sql`all(${ENDED_STATES}::text[])`;
  if (!RUN_KINDS[kind].perTrait)
    return sql`case when one.status <> ${ended} then 'processing' when one.status = 'ERROR' then 'error' else 'success' end`;
  return sql`(
    select case when bool_or(status <> ${ended}) then 'processing' when bool_or(status = 'ERROR') then 'error' else 'success' end
    from ${sql.table(`${kind}_traits`)} where ${sql.ref(`${kind}_id`)} = one.id)`;
}

/** The newest rows of one kind. Figures are computed only for these. */
const latestOf = (table: string, projectId: string) =>
  sql`select * from ${sql.table(table)} where project_id = ${projectId} and deleted_at is null order by created_at desc, id desc limit ${RECENT}`;
