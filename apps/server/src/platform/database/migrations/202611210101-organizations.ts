import { type Kysely, sql } from 'kysely';

/** Tenants, their members, crops and projects, and the invitations to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizations (
      id uuid primary key,
      name text not null check (name <> ''),
      description text,
      subscription_id text,
      seat_total integer not null default 10 check (seat_total >= 0),
      -- ROLES: what an organization may allow beyond the defaults.
      members_may_create_projects boolean not null default false,
      managers_may_invite_managers boolean not null default false,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      -- Set while it lies in the 30-day bin.
      deleted_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index organizations_created_by on organizations (created_by)`.execute(db);
  await sql`create index organizations_deleted_at on organizations (deleted_at) where deleted_at is not null`.execute(
    db,
  );

  await sql`
    create table organization_members (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('OWNER', 'MANAGER', 'MEMBER')),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (organization_id, user_id)
    )
  `.execute(db);
  await sql`create index organization_members_user_id on organization_members (user_id)`.execute(db);

  await sql`
    create table crops (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      name text not null check (name <> ''),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (id, organization_id)
    )
  `.execute(db);
  await sql`create unique index crops_name on crops (organization_id, lower(name))`.execute(db);
  await sql`create index crops_created_by on crops (created_by)`.execute(db);

  // The two-column key prevents a project from using another organization's crop.
  await sql`
    create table projects (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      crop_id uuid,
      name text not null check (name <> ''),
      description text,
      -- ROLES: members may only read.
      members_read_only boolean not null default false,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      constraint projects_crop foreign key (crop_id, organization_id)
        references crops (id, organization_id) on delete no action
    )
  `.execute(db);
  await sql`create unique index projects_name on projects (organization_id, lower(name)) where deleted_at is null`.execute(
    db,
  );
  await sql`create index projects_organization_id on projects (organization_id, id)`.execute(db);
  await sql`create index projects_crop_id on projects (crop_id, organization_id)`.execute(db);
  await sql`create index projects_created_by on projects (created_by)`.execute(db);
  await sql`create index projects_deleted_at on projects (deleted_at) where deleted_at is not null`.execute(db);

  await sql`
    create table project_members (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('OWNER', 'MANAGER', 'MEMBER')),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (project_id, user_id)
    )
  `.execute(db);
  await sql`create index project_members_user_id on project_members (user_id)`.execute(db);

  await sql`
    create table invitations (
      id uuid primary key,
      organization_id uuid references organizations on delete cascade,
      project_id uuid references projects on delete cascade,
      sender_id uuid references users on delete set null,
      recipient text not null check (recipient = lower(recipient) and recipient <> ''),
      role text not null check (role in ('MANAGER', 'MEMBER')),
      created_at timestamptz(3) not null default now(),
      check (num_nonnulls(organization_id, project_id) = 1)
    )
  `.execute(db);
  await sql`create unique index invitations_organization on invitations (organization_id, recipient) where organization_id is not null`.execute(
    db,
  );
  await sql`create unique index invitations_project on invitations (project_id, recipient) where project_id is not null`.execute(
    db,
  );
  await sql`create index invitations_recipient on invitations (recipient)`.execute(db);
  await sql`create index invitations_sender_id on invitations (sender_id)`.execute(db);
}
