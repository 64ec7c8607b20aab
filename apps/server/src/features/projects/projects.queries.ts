import type { Role } from '@heterosis/contracts/common';
import type { ProjectOverview, RecentRun } from '@heterosis/contracts/projects';
import type { RunPath } from '@heterosis/contracts/run-kinds';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';

export interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  members_read_only: boolean;
  organization_id: string;
  organization_name: string;
  crop_id: string | null;
  crop_name: string | null;
  project_role: Role | null;
  organization_role: Role | null;
  created_at: string;
  updated_at: string;
}

/** Projects that a person reaches; one more than `limit`. */
export function listProjects(
  db: Queryable,
  userId: string,
  { limit, after, id }: { limit: number; after?: string | undefined; id?: string },
): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .leftJoin('crops', 'crops.id', 'projects.crop_id')
    .leftJoin('project_members as joined', (join) =>
      join.onRef('joined.project_id', '=', 'projects.id').on('joined.user_id', '=', userId),
    )
    .leftJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'projects.organization_id').on('member.user_id', '=', userId),
    )
    .select([
      'projects.id',
      'projects.name',
      'projects.description',
      'projects.members_read_only',
      'projects.organization_id',
      'organizations.name as organization_name',
      'projects.crop_id',
      'crops.name as crop_name',
      'joined.role as project_role',
      'member.role as organization_role',
      'projects.created_at',
      'projects.updated_at',
    ])
    .where('projects.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .where((where) =>
      where.or([where('joined.user_id', 'is not', null), where('member.role', 'in', ['OWNER', 'MANAGER'])]),
    )
    .$if(id !== undefined, (query) => query.where('projects.id', '=', id ?? ''))
    .$if(after !== undefined, (query) => query.where('projects.id', '>', after ?? ''))
    .orderBy('projects.id')
    .limit(limit + 1)
    .execute();
}

/** Whoever creates a project is its OWNER. */
export async function insertProject(
  db: Queryable,
  project: { name: string; organization_id: string; crop_id: string; created_by: string },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('projects')
    .values({ id, ...project })
    .execute();
  await db
    .insertInto('project_members')
    .values({ id: uuidv7(), project_id: id, user_id: project.created_by, role: 'OWNER' })
    .execute();
  return id;
}

export async function isCropOf(db: Queryable, organizationId: string, cropId: string): Promise<boolean> {
  const row = await db
    .selectFrom('crops')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', cropId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateProject(
  db: Queryable,
  projectId: string,
  change: { name?: string; description?: string | null; members_read_only?: boolean; deleted_at?: string },
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ ...change, updated_at: sql<string>`now()` })
    .where('id', '=', projectId)
    .execute();
}

const RECENT = 12;

/** What is in a project and what happened lately, for the overview page. */
export async function readOverview(db: Queryable, projectId: string): Promise<ProjectOverview> {
  const counts = await sql<Omit<ProjectOverview, 'files' | 'recent'> & ProjectOverview['files']>`
    select
      count(*) filter (where file_type = 'GENOTYPE')::int as genotype,
      count(*) filter (where file_type = 'PHENOTYPE')::int as phenotype,
      count(*) filter (where file_type = 'CROSSING_TABLE')::int as crossing_table,
      count(*) filter (where file_type = 'LINKAGE_MAP')::int as linkage_map,
      count(*) filter (where file_type is null)::int as other,
      coalesce(max(row_count) filter (where file_type = 'GENOTYPE'), 0)::int as individuals,
      coalesce(max(column_count) filter (where file_type = 'GENOTYPE'), 0)::int as markers,
      coalesce((
        select array_agg(distinct trait order by trait) from files as phenotype,
          jsonb_array_elements_text(coalesce(phenotype.meta -> 'traits', '[]')) as trait
        where phenotype.project_id = ${projectId} and phenotype.deleted_at is null and phenotype.file_type = 'PHENOTYPE'
      ), '{}') as traits,
      (select count(*) from models where project_id = ${projectId} and deleted_at is null)::int as models,
      (select count(*) from predictions where project_id = ${projectId} and deleted_at is null)::int as predictions,
      (select count(*) from gwas where project_id = ${projectId} and deleted_at is null)::int as gwas,
      (select count(*) from crossing_simulations where project_id = ${projectId} and deleted_at is null)::int as crossing_simulations
    from files where project_id = ${projectId} and deleted_at is null
  `.execute(db);
  const [row] = counts.rows;
  if (!row) throw new Error('Counting gives one row');
  const { genotype, phenotype, crossing_table, linkage_map, other, ...rest } = row;
  return {
    ...rest,
    files: { genotype, phenotype, crossing_table, linkage_map, other },
    recent: await listRecent(db, projectId),
  };
}

async function listRecent(db: Queryable, projectId: string): Promise<RecentRun[]> {
  const { rows } = await sql<
    Omit<RecentRun, 'created_at' | 'finished_at'> & { created_at: string; finished_at: string | null }
  >`
    with
      latest_models as (${latestOf('models', projectId)}),
      latest_predictions as (${latestOf('predictions', projectId)}),
      latest_gwas as (${latestOf('gwas', projectId)}),
      latest_crossings as (${latestOf('crossing_simulations', projectId)}),
      latest_files as (${latestOf('files', projectId)}),
      recent as (
        select 'model' as kind, id, name, created_at,
          (select case when bool_or(status in ('TRAINING', 'TRAINED', 'EVALUATING')) then 'processing'
                       when bool_or(status = 'ERROR') then 'error' else 'success' end
             from model_traits where model_id = one.id) as state,
          (select string_agg(trait || ' r ' || to_char((evaluation #>> '{pearson_r,mean}')::float8, 'FM0.00'), ', ' order by trait)
             from model_traits where model_id = one.id and evaluation is not null) as key_figure
          from latest_models as one
        union all
        select 'prediction', id, name, created_at,
          case status when 'PROCESSING' then 'processing' when 'ERROR' then 'error' else 'success' end,
          case when report is not null then (report ->> 'individuals') || ' individuals' end
          from latest_predictions
        union all
        select 'gwas', id, name, created_at,
          (select case when bool_or(status = 'PROCESSING') then 'processing'
                       when bool_or(status = 'ERROR') then 'error' else 'success' end
             from gwas_traits where gwas_id = one.id),
          (select sum((summary ->> 'hits')::int) || case sum((summary ->> 'hits')::int) when 1 then ' hit' else ' hits' end
             from gwas_traits where gwas_id = one.id and summary is not null)
          from latest_gwas as one
        union all
        select 'crossing_simulation', id, name, created_at,
          case status when 'PROCESSING' then 'processing' when 'ERROR' then 'error' else 'success' end,
          case when report is not null then (report ->> 'crosses') || case report ->> 'crosses' when '1' then ' cross' else ' crosses' end
            || coalesce(', best ' || (report #>> array['best', traits[1], 'cross']), '') end
          from latest_crossings
        union all
        select 'import', id, name, created_at,
          case when status in ('UPLOADED', 'CHECKING') then 'processing' when status = 'INVALID' then 'error' else 'success' end,
          case when row_count is not null and column_count is not null then trim(to_char(row_count, '999,999,999')) || ' × ' || trim(to_char(column_count, '999,999,999')) end
          from latest_files
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
      where runs.project_id = ${projectId} and runs.kind <> 'phase'
        and (runs.model_id = recent.id or runs.prediction_id = recent.id or runs.gwas_id = recent.id
          or runs.crossing_simulation_id = recent.id or runs.file_id = recent.id)
      order by runs.id desc limit 1
    ) as run on true
    order by recent.created_at desc, recent.id desc
  `.execute(db);
  return rows;
}

/** The newest rows of one kind, before anything is worked out about them. */
const latestOf = (table: RunPath | 'files', projectId: string) =>
  sql`select * from ${sql.table(table)} where project_id = ${projectId} and deleted_at is null order by created_at desc, id desc limit ${RECENT}`;
