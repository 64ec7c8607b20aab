import { type Kysely, sql } from 'kysely';

/**
 * What BrAPI clients write to the studies of a phenotype file. The file itself stays as it is; what was collected for
 * it becomes new files, its versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table collections (
      file_id uuid primary key references files on delete cascade,
      project_id uuid not null references projects on delete cascade,
      -- Counts the writes; the last one of which a version was made.
      revision integer not null default 0,
      filed_revision integer not null default 0,
      changed_at timestamptz(3) not null default now(),
      changed_by uuid references users on delete set null
    )
  `.execute(db);
  await sql`create index collections_project on collections (project_id)`.execute(db);
  await sql`create index collections_changed_by on collections (changed_by)`.execute(db);
  await sql`
    create table collected_units (
      file_id uuid not null references collections on delete cascade,
      -- Among the units of the file; those below the number of the file's own change one of them.
      place integer not null check (place >= 0),
      environment integer not null check (environment >= 0),
      individual text not null check (length(individual) between 1 and 255),
      design jsonb not null,
      external_references jsonb not null,
      primary key (file_id, place)
    )
  `.execute(db);
  await sql`
    create table collected_observations (
      id uuid primary key,
      file_id uuid not null references collections on delete cascade,
      unit integer not null check (unit >= 0),
      variable_id text not null check (length(variable_id) <= 64),
      -- Name, unit, ontology id and kind of the trait.
      trait jsonb not null,
      -- Null: nothing could be observed.
      value text check (length(value) <= 1000),
      observed_at timestamptz(3),
      collector text check (length(collector) <= 255),
      external_references jsonb not null,
      -- Place among the observations of the file, of the one that this changes.
      replaces integer check (replaces >= 0),
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`
    create unique index collected_observations_of_unit
    on collected_observations (file_id, unit, variable_id, observed_at) nulls not distinct
  `.execute(db);
  await sql`
    create unique index collected_observations_replaces
    on collected_observations (file_id, replaces) where replaces is not null
  `.execute(db);
  await sql`
    create table file_versions (
      file_id uuid primary key references files on delete cascade,
      version_of uuid not null references files on delete cascade,
      version integer not null check (version >= 1),
      revision integer not null,
      unique (version_of, version)
    )
  `.execute(db);
}
