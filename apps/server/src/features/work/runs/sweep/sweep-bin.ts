import { BIN_DAYS } from '@heterosis/contracts/data/bin';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Services } from '../../../../platform/http/app.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';

/** Runs are deleted before the files they were made from. */
const TABLES = [
  ...runKinds.map((kind) => ({ entity_kind: kind, table: RUN_KINDS[kind].path })),
  // Nothing is computed for a photo, a trial or a decision itself.
  { entity_kind: null, table: 'photos' },
  { entity_kind: null, table: 'trials' },
  { entity_kind: null, table: 'decisions' },
  { entity_kind: 'file', table: 'files' },
] as const;

/**
 * Permanently deletes items after 30 days in the bin: each row with its runs and everything under its storage prefix.
 * Covers all tenants. It may be interrupted and repeated.
 */
export async function sweepBin({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  for (const { entity_kind, table } of TABLES) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'project_id'])
      .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${BIN_DAYS})`)
      .orderBy('id')
      .execute();
    for (const { id, project_id } of rows) {
      await storage.deletePrefix(`projects/${project_id}/${table}/${id}/`);
      if (table === 'trials') await deletePhotosOf({ db, storage }, project_id, id);
      await db.transaction().execute(async (trx) => {
        // No foreign key leads from `runs` to the entity.
        if (entity_kind !== null)
          await trx
            .deleteFrom('runs')
            .where('project_id', '=', project_id)
            .where('entity_kind', '=', entity_kind)
            .where('entity_id', '=', id)
            .execute();
        await trx.deleteFrom(table).where('project_id', '=', project_id).where('id', '=', id).execute();
      });
    }
  }
  await sweepProjects({ db, storage });
}

/** Photos of the plots of a trial that goes. */
async function deletePhotosOf(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  trialId: string,
): Promise<void> {
  const photos = await db.selectFrom('photos').select('id').where('trial_id', '=', trialId).execute();
  for (const { id } of photos) await storage.deletePrefix(`projects/${projectId}/photos/${id}/`);
}

/** Deletes projects with all their contents, then organizations, which by then have only crops and members. */
async function sweepProjects({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  const long = sql<string>`now() - make_interval(days => ${BIN_DAYS})`;
  const projects = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('projects.id')
    .where((where) => where.or([where('projects.deleted_at', '<', long), where('organizations.deleted_at', '<', long)]))
    .execute();
  for (const { id } of projects) {
    await storage.deletePrefix(`projects/${id}/`);
    await db.deleteFrom('projects').where('id', '=', id).execute();
  }
  await db.deleteFrom('organizations').where('deleted_at', '<', long).execute();
}

/** Cancels running work in deleted projects and organizations: nobody could see the results. */
export async function endRunsOfDeletedProjects({ db, jobs }: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ jobs: JobReference[] }>`
      -- Locked, so that nothing is restored meanwhile.
      with deleted as (
        select projects.id from projects join organizations on organizations.id = projects.organization_id
        where projects.deleted_at is not null or organizations.deleted_at is not null
        for share
      ), gone as (
        select id from organizations where deleted_at is not null for share
      )
      update runs set state = 'CANCELLED', finished_at = now(), updated_at = now()
      where finished_at is null
        and (project_id in (select id from deleted) or organization_id in (select id from gone))
      returning jobs
    `.execute(trx);
    const references = rows.flatMap((row) => row.jobs);
    if (references.length > 0) await jobs.cancel(trx, ...references);
  });
}
