import { type Kysely, sql } from 'kysely';

/**
 * The lines of an organization, by crop. Names are compared by their folded form (no case, blanks or punctuation);
 * the two-column keys keep parents and synonyms inside the crop, and the crop inside the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table germplasm (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      crop_id uuid not null,
      name text not null check (name <> '' and length(name) <= 255),
      folded_name text not null,
      -- Someone has confirmed that this is another line than the one with the same folded name.
      is_distinct boolean not null default false,
      collection text,
      -- Null: unknown.
      maternal_id uuid,
      paternal_id uuid,
      -- How it came from its parents; null: an ordinary cross, or not known.
      cross_type text
        check (cross_type in ('BIPARENTAL', 'BACKCROSS', 'SELF', 'DH', 'CLONE', 'OPEN_POLLINATED')),
      -- Generations of selfing since the cross: 0 is the F1, 1 the F2. Null: not known.
      selfing_generations smallint check (selfing_generations between 0 and 100),
      -- Further columns of the upload: accession number, origin, notes …
      attributes jsonb not null default '{}',
      -- The germplasm that this one was merged into; deleted_at is set as well.
      merged_into uuid,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      unique (id, crop_id),
      constraint germplasm_crop foreign key (crop_id, organization_id)
        references crops (id, organization_id) on delete no action,
      -- Deferred: the rows of an upload come in any order.
      constraint germplasm_maternal foreign key (maternal_id, crop_id)
        references germplasm (id, crop_id) on delete set null (maternal_id) deferrable initially deferred,
      constraint germplasm_paternal foreign key (paternal_id, crop_id)
        references germplasm (id, crop_id) on delete set null (paternal_id) deferrable initially deferred,
      constraint germplasm_merged_into foreign key (merged_into, crop_id)
        references germplasm (id, crop_id) on delete set null (merged_into),
      check (merged_into is null or deleted_at is not null),
      check (merged_into <> id)
    )
  `.execute(db);
  await sql`create unique index germplasm_name on germplasm (crop_id, name) where deleted_at is null`.execute(db);
  await sql`
    create unique index germplasm_folded_name on germplasm (crop_id, folded_name)
    where deleted_at is null and not is_distinct
  `.execute(db);
  await sql`create index germplasm_by_name on germplasm (crop_id, lower(name), id) where deleted_at is null`.execute(
    db,
  );
  await sql`create index germplasm_by_id on germplasm (crop_id, id) where deleted_at is null`.execute(db);
  await sql`create index germplasm_organization on germplasm (organization_id, lower(name), id) where deleted_at is null`.execute(
    db,
  );
  await sql`create index germplasm_crop_key on germplasm (crop_id, organization_id)`.execute(db);
  await sql`create index germplasm_maternal on germplasm (maternal_id, crop_id) where maternal_id is not null`.execute(
    db,
  );
  await sql`create index germplasm_paternal on germplasm (paternal_id, crop_id) where paternal_id is not null`.execute(
    db,
  );
  await sql`create index germplasm_merged_into on germplasm (merged_into, crop_id) where merged_into is not null`.execute(
    db,
  );
  await sql`create index germplasm_created_by on germplasm (created_by)`.execute(db);
  await sql`create index germplasm_deleted_at on germplasm (deleted_at) where deleted_at is not null`.execute(db);

  // Only of germplasm that is neither merged nor deleted; the record of the change keeps the others.
  await sql`
    create table germplasm_synonyms (
      crop_id uuid not null,
      name text not null check (name <> '' and length(name) <= 255),
      folded_name text not null,
      germplasm_id uuid not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      primary key (crop_id, name),
      constraint germplasm_synonyms_germplasm foreign key (germplasm_id, crop_id)
        references germplasm (id, crop_id) on delete cascade
    )
  `.execute(db);
  await sql`create index germplasm_synonyms_germplasm on germplasm_synonyms (germplasm_id, crop_id)`.execute(db);
  await sql`create index germplasm_synonyms_folded on germplasm_synonyms (crop_id, folded_name)`.execute(db);
  await sql`create index germplasm_synonyms_created_by on germplasm_synonyms (created_by)`.execute(db);

  // Uploaded through the project or added to it by hand.
  await sql`
    create table project_germplasm (
      project_id uuid not null references projects on delete cascade,
      germplasm_id uuid not null references germplasm on delete cascade,
      primary key (project_id, germplasm_id)
    )
  `.execute(db);
  await sql`create index project_germplasm_germplasm on project_germplasm (germplasm_id)`.execute(db);

  // Names of individuals in a file, as written: where a germplasm occurs.
  await sql`
    create table file_individuals (
      file_id uuid not null references files on delete cascade,
      name text not null,
      folded_name text not null,
      primary key (file_id, name)
    )
  `.execute(db);
  await sql`create index file_individuals_folded on file_individuals (folded_name, file_id)`.execute(db);

  // Merges and deletions, with what it takes to undo them.
  await sql`
    create table germplasm_changes (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      crop_id uuid not null references crops on delete cascade,
      kind text not null check (kind in ('MERGE', 'DELETE')),
      germplasm_id uuid not null references germplasm on delete cascade,
      before jsonb not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      undone_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index germplasm_changes_germplasm on germplasm_changes (germplasm_id)`.execute(db);
  await sql`create index germplasm_changes_organization on germplasm_changes (organization_id, id)`.execute(db);
  await sql`create index germplasm_changes_crop on germplasm_changes (crop_id)`.execute(db);
  await sql`create index germplasm_changes_created_by on germplasm_changes (created_by)`.execute(db);
}
