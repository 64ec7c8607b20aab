import { type Kysely, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { DB } from '../schema.gen.ts';

const KINDS_OF_PROJECTS = [
  ...['file', 'model', 'prediction', 'gwas', 'trial_analysis', 'parentage_check', 'crossing_plan'],
  ...['crossing_simulation', 'brapi_import'],
];
const JOB = 'settle-germplasm-upload';

/**
 * Uploads of germplasm are work like all other. Germplasm is an organization's, so their runs are keyed by it. Those
 * under way get a run without a job, which workers look for and enqueue; the old job knows no run. The list of a crop
 * has a number that rises with each change, by which a settled upload sees whether it is still right. What is kept for
 * a review counts as storage of the organization.
 */
export async function up(db: Kysely<DB>): Promise<void> {
  const names = sql.join([...KINDS_OF_PROJECTS, 'germplasm_upload'].map((kind) => sql.lit(kind)));
  await sql`
    alter table runs
      alter column project_id drop not null,
      add column organization_id uuid references organizations on delete cascade,
      drop constraint runs_entity_kind,
      add constraint runs_entity_kind check (entity_kind in (${names})),
      add constraint runs_tenant check (case entity_kind
        when 'germplasm_upload' then project_id is null and organization_id is not null
        else project_id is not null and organization_id is null end)
  `.execute(db);
  await sql`
    create index runs_organization on runs (organization_id, id) where organization_id is not null
  `.execute(db);
  await sql`alter table run_mails alter column project_id drop not null`.execute(db);
  // Those before it are gone within a week; until then nobody counts them.
  await sql`alter table germplasm_uploads add column size_bytes bigint not null default 0`.execute(db);
  await sql`alter table crops add column germplasm_version integer not null default 0`.execute(db);
  const lost = JSON.stringify([{ job: JOB, queue: 'lane-short', id: '00000000-0000-0000-0000-000000000000' }]);
  const { rows } = await sql<{ id: string }>`
    select id from germplasm_uploads where status in ('CHECKING', 'ACCEPTING')
  `.execute(db);
  for (const { id } of rows)
    await sql`
      insert into runs (id, organization_id, entity_kind, entity_id, step, jobs, requested_by, software_version)
      select ${uuidv7()}, organization_id, 'germplasm_upload', id, 'settle', ${lost}::jsonb, created_by, ''
      from germplasm_uploads where id = ${id}
    `.execute(db);
  const { rows: queues } = await sql<{ has: boolean }>`select to_regclass('pgboss.job') is not null as has`.execute(db);
  if (queues[0]?.has === true)
    await sql`delete from pgboss.job where state < 'completed' and data ->> 'job' = ${JOB}`.execute(db);
}
