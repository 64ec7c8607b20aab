import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { RunOwner } from './runs.queries.ts';

/** Folder of an entity in the storage, and the results that its rows name. */
interface Owner {
  folder: string;
  results: (id: string) => RawBuilder<{ keys: Record<string, string> | null }>;
}

const OWNERS: Record<RunOwner, Owner> = {
  file_id: { folder: 'files', results: (id) => sql`select meta -> 'keys' as keys from files where id = ${id}` },
  model_id: {
    folder: 'models',
    results: (id) => sql`select result_keys as keys from model_traits where model_id = ${id}`,
  },
  prediction_id: {
    folder: 'predictions',
    results: (id) => sql`select result_keys as keys from predictions where id = ${id}`,
  },
  gwas_id: { folder: 'gwas', results: (id) => sql`select result_keys as keys from gwas_traits where gwas_id = ${id}` },
  crossing_simulation_id: {
    folder: 'crossing_simulations',
    results: (id) => sql`select result_keys as keys from crossing_simulations where id = ${id}`,
  },
};

export const RUN_OWNERS: readonly RunOwner[] = Object.keys(OWNERS) as RunOwner[];

export interface RunReference {
  projectId: string;
  owner: RunOwner;
  ownerId: string;
  runId: string;
}

/**
 * Deletes what a run has written and no row names: parts of a flow, prepared states, files of an attempt that was taken over. Everything
 * of a run lies under `projects/…/{entity}/{run}-{attempt}/`; the attempt that is at work is left alone.
 */
export async function deleteLeftovers(
  { db, storage }: { db: Queryable; storage: Services['storage'] },
  { projectId, owner, ownerId, runId }: RunReference,
): Promise<void> {
  const { folder, results } = OWNERS[owner];
  const prefix = `projects/${projectId}/${folder}/${ownerId}/${runId}-`;
  // Listed before the rows are read: what is written and named meanwhile is not in the list.
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  if (found.length === 0) return;
  const working = await db
    .selectFrom('runs')
    .select('attempt')
    .where('project_id', '=', projectId)
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  const { rows } = await results(ownerId).execute(db);
  const kept = new Set(rows.flatMap(({ keys }) => Object.values(keys ?? {})));
  const left = found.filter(
    (key) => !kept.has(key) && (working === undefined || !key.startsWith(`${prefix}${working.attempt}/`)),
  );
  if (left.length > 0) await storage.delete(...left);
}

/** A job that was cancelled learns of it within seconds; what it still writes then is older than this. */
const GRACE_SECONDS = 60;
/** Runs looked at before the next are asked for. */
const BATCH = 200;

/** Goes once over every run that has ended, however it ended and whoever was there to clean up. May be interrupted and done again. */
export async function sweepRuns(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  graceSeconds: number = GRACE_SECONDS,
): Promise<void> {
  for (;;) {
    const runs = await db
      .selectFrom('runs')
      .select(['id', 'project_id', 'file_id', 'model_id', 'prediction_id', 'gwas_id', 'crossing_simulation_id'])
      .where('finished_at', '<=', sql<string>`now() - make_interval(secs => ${graceSeconds})`)
      .where('swept_at', 'is', null)
      .orderBy('finished_at')
      .limit(BATCH)
      .execute();
    for (const run of runs) {
      for (const owner of RUN_OWNERS) {
        const ownerId = run[owner];
        if (ownerId !== null)
          await deleteLeftovers({ db, storage }, { projectId: run.project_id, owner, ownerId, runId: run.id });
      }
      await db
        .updateTable('runs')
        .set({ swept_at: sql<string>`now()` })
        .where('project_id', '=', run.project_id)
        .where('id', '=', run.id)
        .execute();
    }
    if (runs.length < BATCH) return;
  }
}
