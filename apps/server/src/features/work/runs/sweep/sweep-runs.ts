import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { listResultKeys } from '../kind/run-kind.queries.ts';
import { runPrefix, type WorkReference } from '../work/entity.ts';
import { type RunEntity, tenantColumn, tenantIdOf } from '../work/runs.queries.ts';

/** The storage keys of results referenced by the row of an entity, or by the rows of its traits. */
async function listKeptKeys(db: Queryable, { entity_kind, entity_id }: RunEntity): Promise<string[]> {
  if (entity_kind === 'brapi_import' || entity_kind === 'germplasm_upload' || entity_kind === 'package_import')
    return [];
  if (entity_kind !== 'file') return await listResultKeys(db, entity_kind, entity_id);
  const file = await db.selectFrom('files').select('meta').where('id', '=', entity_id).executeTakeFirst();
  return Object.values((file?.meta as { keys?: Record<string, string> } | undefined)?.keys ?? {});
}

/**
 * Deletes what a run has written but no row refers to: parts of a flow, prepared states, files of an attempt that was
 * taken over. A run writes everything under `{tenant}/{entity}/{run}-{attempt}/`. The files of the current attempt are
 * kept.
 */
export async function deleteLeftovers(
  { db, storage }: { db: Queryable; storage: Services['storage'] },
  kind: RunEntity['entity_kind'],
  reference: WorkReference,
): Promise<void> {
  const prefix = runPrefix(kind, reference);
  // List before reading the rows, so that a file written and referred to in between is not deleted.
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  if (found.length === 0) return;
  const working = await db
    .selectFrom('runs')
    .select('attempt')
    .where(tenantColumn(kind), '=', reference.tenantId)
    .where('id', '=', reference.runId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  const kept = new Set(await listKeptKeys(db, { entity_kind: kind, entity_id: reference.id }));
  const left = found.filter(
    (key) => !kept.has(key) && (working === undefined || !key.startsWith(`${prefix}${working.attempt}/`)),
  );
  if (left.length > 0) await storage.delete(...left);
}

/** A cancelled job learns of it within seconds, so it has stopped writing by then. */
const GRACE_SECONDS = 60;
/** Runs read per query. */
const BATCH = 200;

/** Sweeps every ended run once, however it ended. It may be interrupted and repeated. */
export async function sweepRuns(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  graceSeconds: number = GRACE_SECONDS,
): Promise<void> {
  for (;;) {
    const runs = await db
      .selectFrom('runs')
      .select(['id', 'project_id', 'organization_id', 'entity_kind', 'entity_id'])
      .where('finished_at', '<=', sql<string>`now() - make_interval(secs => ${graceSeconds})`)
      .where('swept_at', 'is', null)
      .orderBy('finished_at')
      .limit(BATCH)
      .execute();
    for (const { id: runId, entity_kind: kind, entity_id: id, ...tenant } of runs) {
      const tenantId = tenantIdOf({ entity_kind: kind, ...tenant });
      await deleteLeftovers({ db, storage }, kind, { tenantId, id, runId });
      await db
        .updateTable('runs')
        .set({ swept_at: sql<string>`now()` })
        .where(tenantColumn(kind), '=', tenantId)
        .where('id', '=', runId)
        .execute();
    }
    if (runs.length < BATCH) return;
  }
}
