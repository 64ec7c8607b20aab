import { type Kysely, sql } from 'kysely';

/** When people were last active in an organization or project, and when somebody last changed a project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organization_members add column last_active_at timestamptz(3)`.execute(db);
  await sql`alter table project_members add column last_active_at timestamptz(3)`.execute(db);
  await sql`alter table projects add column last_active_at timestamptz(3)`.execute(db);
  await sql`
    update projects set last_active_at = greatest(
      updated_at,
      (select max(updated_at) from files where files.project_id = projects.id),
      (select max(created_at) from runs where runs.project_id = projects.id)
    )
  `.execute(db);
  await sql`
    alter table projects alter column last_active_at set not null, alter column last_active_at set default now()
  `.execute(db);
}
