import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { up } from './migrations/202611241600-imports-are-runs.ts';
import { createTestDatabase } from './testing.ts';

test('an import that an older version has begun becomes a run that waits; one that has ended does not', async () => {
  const { db, close } = await createTestDatabase();
  const [project, person, underWay, ended] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  try {
    await db.transaction().execute(async (trx) => {
      // Rows without the project and the queue they belong to: the migration reads neither.
      await sql`set local session_replication_role = replica`.execute(trx);
      for (const [id, finished] of [
        [underWay, null],
        [ended, '2026-11-20T10:00:00Z'],
      ])
        await sql`
          insert into brapi_imports (id, project_id, server_name, url, state, steps, token, created_by, finished_at)
          values (${id}, ${project}, 'Trials', 'https://trials.example.org', ${finished === null ? 'RUNNING' : 'DONE'},
            '[]', ${finished === null ? 'secret' : null}, ${person}, ${finished})
        `.execute(trx);
      for (const [name, state] of [
        ['import-from-brapi', 'active'],
        ['import-from-brapi', 'completed'],
        ['check-file', 'created'],
      ])
        await sql`
          insert into pgboss.job (id, name, state, data)
          values (gen_random_uuid(), 'lane-long', ${state}::pgboss.job_state, ${JSON.stringify({ job: name })}::jsonb)
        `.execute(trx);
      // Kysely types of a known schema do not fit those of none.
      await up(trx as never);

      const { rows: runs } = await sql`
        select project_id, entity_kind, entity_id, step, state, attempt, requested_by, jobs from runs
      `.execute(trx);
      // Workers look for runs whose job is gone, and enqueue them.
      const lost = { job: 'import-from-brapi', queue: 'lane-long', id: '00000000-0000-0000-0000-000000000000' };
      expect(runs).toEqual([
        {
          ...{ project_id: project, entity_kind: 'brapi_import', entity_id: underWay, step: 'import' },
          ...{ state: 'QUEUED', attempt: 0, requested_by: person, jobs: [lost] },
        },
      ]);
      const { rows: jobs } = await sql`select data ->> 'job' as job, state from pgboss.job order by job`.execute(trx);
      expect(jobs).toEqual([
        { job: 'check-file', state: 'created' },
        { job: 'import-from-brapi', state: 'completed' },
      ]);
    });
  } finally {
    await close();
  }
});
