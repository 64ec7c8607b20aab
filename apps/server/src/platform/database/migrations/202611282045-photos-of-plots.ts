import { type Kysely, sql } from 'kysely';

/** Photos of the plots of trials. Their bytes are objects of the storage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table photos (
      -- Made by whoever took it, so that the same may be sent twice.
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      trial_id uuid not null references trials on delete cascade,
      plot integer not null,
      -- As the camera called it.
      name text not null check (name <> '' and length(name) <= 255),
      note text check (length(note) between 1 and 1000),
      taken_at timestamptz(3) not null,
      -- Null while a client has announced it and not sent it yet, like all that the bytes say.
      content_type text check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
      width integer check (width >= 1),
      height integer check (height >= 1),
      -- With the small picture beside it.
      size_bytes bigint not null default 0,
      storage_key text,
      -- Key of the small picture, as keys.thumbnail.
      meta jsonb not null default '{}',
      -- What BrAPI clients say beyond these columns.
      client_details jsonb,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      check ((storage_key is null) = (content_type is null)),
      foreign key (trial_id, plot) references trial_plots on delete cascade
    )
  `.execute(db);
  await sql`create index photos_plot on photos (trial_id, plot, taken_at)`.execute(db);
  await sql`create index photos_project on photos (project_id, id)`.execute(db);
  await sql`create index photos_creator on photos (created_by)`.execute(db);
}
