import { type Kysely, sql } from 'kysely';

/**
 * Folders, uploads in progress, files and the findings about them. Outside the bin, names are unique per folder,
 * ignoring case. Two-column keys prevent a row from referring to another project.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table folders (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      -- Parent; null at the root.
      folder_id uuid,
      name text not null check (name <> ''),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      unique (id, project_id),
      check (folder_id <> id),
      constraint folders_parent foreign key (folder_id, project_id)
        references folders (id, project_id) on delete cascade
    )
  `.execute(db);
  await sql`
    create unique index folders_name on folders (project_id, folder_id, lower(name))
    nulls not distinct where deleted_at is null
  `.execute(db);
  await sql`create index folders_parent on folders (folder_id, project_id)`.execute(db);
  await sql`create index folders_created_by on folders (created_by)`.execute(db);

  // Step 1 of an upload creates this row, step 3 turns it into a file; unfinished uploads are swept.
  await sql`
    create table uploads (
      -- Becomes the id of the file.
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      content_type text not null,
      storage_key text not null unique,
      created_by uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    )
  `.execute(db);
  await sql`create index uploads_project_id on uploads (project_id)`.execute(db);
  await sql`create index uploads_created_by on uploads (created_by)`.execute(db);
  await sql`create index uploads_expires_at on uploads (expires_at)`.execute(db);

  await sql`
    create table files (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      folder_id uuid,
      name text not null check (name <> ''),
      description text,
      file_type text check (file_type in ('GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP')),
      status text not null default 'UPLOADED'
        check (status in ('UPLOADED', 'CHECKING', 'READY', 'READY_WITH_WARNINGS', 'INVALID')),
      -- Detected by content: vcf, hapmap, plink …; null until checked.
      format text,
      content_type text not null,
      size_bytes bigint not null check (size_bytes >= 0),
      -- Of the untouched original; null until checked.
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      storage_key text not null unique,
      row_count bigint,
      column_count bigint,
      -- Traits of a phenotype, storage keys of derived files, choices of the check: what readers need and no query filters by.
      meta jsonb not null default '{}',
      problem_totals jsonb not null default '{"errors": 0, "warnings": 0, "infos": 0, "byCode": {}}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      unique (id, project_id),
      constraint files_folder foreign key (folder_id, project_id)
        references folders (id, project_id) on delete cascade
    )
  `.execute(db);
  await sql`
    create unique index files_name on files (project_id, folder_id, lower(name))
    nulls not distinct where deleted_at is null
  `.execute(db);
  await sql`create index files_folder on files (folder_id, project_id)`.execute(db);
  await sql`create index files_project_type on files (project_id, file_type, id) where deleted_at is null`.execute(db);
  await sql`create index files_created_by on files (created_by)`.execute(db);
  await sql`create index files_deleted_at on files (deleted_at) where deleted_at is not null`.execute(db);

  // The first 1,000 problems in order of appearance; files.problem_totals counts all of them.
  await sql`
    create table file_problems (
      file_id uuid not null references files on delete cascade,
      position integer not null,
      severity text not null check (severity in ('error', 'warning', 'info')),
      code text not null,
      line integer,
      "column" text,
      value text,
      message text not null,
      suggestion text,
      primary key (file_id, position)
    )
  `.execute(db);
}
