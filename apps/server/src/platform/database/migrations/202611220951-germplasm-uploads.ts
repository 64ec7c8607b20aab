import { type Kysely, sql } from 'kysely';

/** Germplasm files under review: their rows as read or mended, and what would become of each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table germplasm_uploads (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      crop_id uuid not null references crops on delete cascade,
      -- The project that it came through; null: straight to the organization's list.
      project_id uuid references projects on delete cascade,
      file_name text not null,
      status text not null default 'CHECKING' check (status in ('CHECKING', 'REVIEW', 'ACCEPTING', 'ACCEPTED', 'FAILED')),
      -- Null once the rows are read.
      storage_key text,
      existing text not null default 'keep' check (existing in ('keep', 'fill', 'overwrite')),
      generate_unknown_parent boolean not null default false,
      -- The check goes on to accept when it finds no error.
      accept_at_once boolean not null default false,
      -- Labels of the columns, and which became attributes.
      columns jsonb not null default '{}',
      attributes jsonb not null default '[]',
      -- Rows by what becomes of them.
      counts jsonb not null default '{}',
      problem_totals jsonb not null default '{"errors": 0, "warnings": 0, "infos": 0, "byCode": {}}',
      -- The first 1,000.
      problems jsonb not null default '[]',
      created_by uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index germplasm_uploads_organization on germplasm_uploads (organization_id)`.execute(db);
  await sql`create index germplasm_uploads_crop on germplasm_uploads (crop_id)`.execute(db);
  await sql`create index germplasm_uploads_project on germplasm_uploads (project_id)`.execute(db);
  await sql`create index germplasm_uploads_created_by on germplasm_uploads (created_by)`.execute(db);
  await sql`create index germplasm_uploads_created_at on germplasm_uploads (created_at)`.execute(db);

  await sql`
    create table germplasm_upload_rows (
      upload_id uuid not null references germplasm_uploads on delete cascade,
      line integer not null,
      -- As read or mended: name, parents, synonyms …
      content jsonb not null,
      is_edited boolean not null default false,
      action text not null check (action in ('create', 'change', 'same', 'repeat', 'refused')),
      -- Name of the stored germplasm that the row means.
      target text,
      changes jsonb not null default '[]',
      severity text check (severity in ('error', 'warning', 'info')),
      primary key (upload_id, line)
    )
  `.execute(db);
  await sql`create index germplasm_upload_rows_severity on germplasm_upload_rows (upload_id, severity, line)`.execute(
    db,
  );
  await sql`create index germplasm_upload_rows_action on germplasm_upload_rows (upload_id, action, line)`.execute(db);
}
