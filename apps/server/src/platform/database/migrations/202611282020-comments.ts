import { type Kysely, sql } from 'kysely';

/**
 * What people say about lines, files, runs and trials, whom they mention, and the mails about it. `entity_id` has no
 * foreign key: it names rows of many tables, and the readers look for the entity first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table comments (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      entity_kind text not null,
      entity_id uuid not null,
      -- A marker of the file, or a plot of the trial.
      part text check (length(part) between 1 and 255),
      text text not null check (length(text) between 1 and 4000),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index comments_entity on comments (project_id, entity_kind, entity_id, id)`.execute(db);
  await sql`create index comments_creator on comments (created_by)`.execute(db);
  await sql`
    create table comment_mentions (
      comment_id uuid not null references comments on delete cascade,
      user_id uuid not null references users on delete cascade,
      -- As it stands in the text.
      name text not null,
      primary key (comment_id, user_id)
    )
  `.execute(db);
  await sql`create index comment_mentions_user on comment_mentions (user_id)`.execute(db);
  await sql`
    create table comment_mails (
      id uuid primary key,
      comment_id uuid not null references comments on delete cascade,
      user_id uuid not null references users on delete cascade,
      is_mentioned boolean not null,
      sent_at timestamptz(3),
      unique (comment_id, user_id)
    )
  `.execute(db);
  await sql`create index comment_mails_user on comment_mails (user_id)`.execute(db);
  await sql`alter table users add column mailed_notifications text[] not null default '{mention}'`.execute(db);
}
