import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { up } from './migrations/202611281300-germplasm-uploads-are-runs.ts';
import { createTestDatabase } from './testing.ts';

const JOB = 'settle-germplasm-upload';

test('an upload of germplasm that an older version checks or stores becomes a run of its organization', async () => {
  const { db, close } = await createTestDatabase();
  const [organization, crop, project, person] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const [checking, accepting, inReview] = [uuidv7(), uuidv7(), uuidv7()];
  try {
    await db.transaction().execute(async (trx) => {
      // Rows without the crop and the queue they belong to: the migration reads neither.
      await sql`set local session_replication_role = replica`.execute(trx);
      // As the version before left the tables.
      await sql`alter table runs drop constraint runs_tenant, drop column organization_id`.execute(trx);
      await sql`alter table runs alter column project_id set not null`.execute(trx);
      await sql`alter table run_mails alter column project_id set not null`.execute(trx);
      await sql`alter table crops drop column germplasm_version`.execute(trx);
      await sql`alter table germplasm_uploads drop column size_bytes`.execute(trx);
      await sql`
        insert into runs (id, project_id, entity_kind, entity_id, step, software_version)
        values (${uuidv7()}, ${project}, 'file', ${uuidv7()}, 'import', '')`.execute(trx);
      for (const [id, status] of [
        [checking, 'CHECKING'],
        [accepting, 'ACCEPTING'],
        [inReview, 'REVIEW'],
      ])
        await sql`
          insert into germplasm_uploads (id, organization_id, crop_id, project_id, file_name, status, created_by)
          values (${id}, ${organization}, ${crop}, ${project}, 'lines.csv', ${status}, ${person})`.execute(trx);
      for (const [name, state] of [
        [JOB, 'active'],
        [JOB, 'completed'],
        ['check-file', 'created'],
      ])
        await sql`
          insert into pgboss.job (id, name, state, data)
          values (gen_random_uuid(), 'lane-short', ${state}::pgboss.job_state, ${JSON.stringify({ job: name })}::jsonb)
        `.execute(trx);
      // Kysely types of a known schema do not fit those of none.
      await up(trx as never);

      const { rows: runs } = await sql`
        select project_id, organization_id, entity_id, step, state, attempt, requested_by, jobs from runs
        where entity_kind = 'germplasm_upload' order by entity_id
      `.execute(trx);
      // Workers look for runs whose job is gone, and enqueue them.
      const lost = { job: JOB, queue: 'lane-short', id: '00000000-0000-0000-0000-000000000000' };
      const run = {
        ...{ project_id: null, organization_id: organization, step: 'settle', state: 'QUEUED', attempt: 0 },
        ...{ requested_by: person, jobs: [lost] },
      };
      expect(runs).toEqual([
        { ...run, entity_id: checking },
        { ...run, entity_id: accepting },
      ]);
      const { rows: jobs } = await sql`select data ->> 'job' as job, state from pgboss.job order by job`.execute(trx);
      expect(jobs).toEqual([
        { job: 'check-file', state: 'created' },
        { job: JOB, state: 'completed' },
      ]);
    });
    const wrong = sql`
      insert into runs (id, project_id, organization_id, entity_kind, entity_id, step, software_version)
      values (${uuidv7()}, ${project}, ${organization}, 'germplasm_upload', ${checking}, 'settle', '')`;
    await expect(wrong.execute(db)).rejects.toThrow(/runs_tenant/);
  } finally {
    await close();
  }
});
