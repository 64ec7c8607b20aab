import { sql } from 'kysely';
import type { Services } from '../../platform/http/app.ts';

/** How long what was deleted lies in the bin. */
const BIN_DAYS = 30;

/** Runs before the files they were made of, and each with all that lies under its own prefix in the storage. */
const TABLES = ['predictions', 'gwas', 'models', 'files'] as const;

/** Removes for good what the bin has held for 30 days. Over all tenants; may be interrupted and done again. */
export async function sweepBin({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  for (const table of TABLES) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'project_id'])
      .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${BIN_DAYS})`)
      .orderBy('id')
      .execute();
    for (const { id, project_id } of rows) {
      await storage.deletePrefix(`projects/${project_id}/${table}/${id}/`);
      await db.deleteFrom(table).where('project_id', '=', project_id).where('id', '=', id).execute();
    }
  }
}
