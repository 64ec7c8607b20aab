import { type Kysely, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { DB } from '../schema.gen.ts';

const KINDS = ['file', 'model', 'prediction', 'gwas', 'parentage_check', 'crossing_plan', 'crossing_simulation'];

/**
 * Imports from BrAPI servers are work like all other: with attempts, a place in the queue and a mail at the end. Those
 * under way get a run without a job, which workers look for and enqueue; the old job knows no run.
 */
export async function up(db: Kysely<DB>): Promise<void> {
  const names = sql.join([...KINDS, 'brapi_import'].map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
  const lost = JSON.stringify([
    { job: 'import-from-brapi', queue: 'lane-long', id: '00000000-0000-0000-0000-000000000000' },
  ]);
  const { rows } = await sql<{ id: string }>`select id from brapi_imports where finished_at is null`.execute(db);
  for (const { id } of rows)
    await sql`
      insert into runs (id, project_id, entity_kind, entity_id, step, jobs, requested_by, software_version)
      select ${uuidv7()}, project_id, 'brapi_import', id, 'import', ${lost}::jsonb, created_by, ''
      from brapi_imports where id = ${id}
    `.execute(db);
  const { rows: queues } = await sql<{ has: boolean }>`select to_regclass('pgboss.job') is not null as has`.execute(db);
  if (queues[0]?.has === true)
    await sql`
      delete from pgboss.job where state < 'completed' and data ->> 'job' = 'import-from-brapi'
    `.execute(db);
}
