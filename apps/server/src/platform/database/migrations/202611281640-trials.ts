import { type Kysely, sql } from 'kysely';

/** Trials with their plots, what happened to them, and the values that were observed on plots. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trials (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> '' and length(name) <= 255),
      description text,
      season text not null check (season <> '' and length(season) <= 50),
      location_name text not null check (location_name <> '' and length(location_name) <= 255),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      -- How the layout was made; null for one that came from elsewhere.
      design jsonb,
      plot_name text not null check (length(plot_name) between 1 and 200),
      sown_on date,
      harvested_on date,
      plot_length_m double precision check (plot_length_m > 0),
      plot_width_m double precision check (plot_width_m > 0),
      state text not null default 'DRAFT' check (state in ('DRAFT', 'SOWN', 'CLOSED')),
      traits text[] not null check (cardinality(traits) <= 200),
      -- What lists show of the layout.
      plot_count integer not null,
      -- Plots of entries and checks.
      planted_count integer not null,
      entry_count integer not null,
      thumbnail jsonb,
      -- Planted plots × traits with a value that is kept.
      collected integer not null default 0,
      version integer not null default 1,
      -- Counts the writes of values; the last one that is in a version of the file.
      revision integer not null default 0,
      filed_revision integer not null default 0,
      -- The file of which frozen values are versions.
      file_id uuid references files on delete set null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3)
    )
  `.execute(db);
  await sql`
    create unique index trials_name on trials (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index trials_project on trials (project_id, id)`.execute(db);
  await sql`create index trials_creator on trials (created_by)`.execute(db);
  await sql`create index trials_file on trials (file_id)`.execute(db);
  await sql`
    create table trial_plots (
      trial_id uuid not null references trials on delete cascade,
      number integer not null check (number >= 1),
      name text not null check (length(name) between 1 and 255),
      "row" integer check ("row" >= 1),
      "column" integer check ("column" >= 1),
      replicate integer check (replicate >= 1),
      block integer check (block >= 1),
      treatment text check (length(treatment) between 1 and 255),
      kind text not null check (kind in ('ENTRY', 'CHECK', 'FILLER', 'BORDER')),
      -- As it was called when it was laid out; the germplasm list may rename, merge or delete it.
      entry text check (length(entry) between 1 and 255),
      germplasm_id uuid references germplasm on delete set null,
      primary key (trial_id, number)
    )
  `.execute(db);
  await sql`create unique index trial_plots_name on trial_plots (trial_id, name)`.execute(db);
  await sql`create unique index trial_plots_place on trial_plots (trial_id, "row", "column")`.execute(db);
  await sql`create index trial_plots_germplasm on trial_plots (germplasm_id)`.execute(db);
  await sql`
    create table trial_events (
      id uuid primary key,
      trial_id uuid not null references trials on delete cascade,
      type text not null check (type in (
        'CREATED', 'LAYOUT_REPLACED', 'SWAPPED', 'SWAP_UNDONE', 'SOWN', 'DRAFTED', 'CLOSED', 'REOPENED', 'SET_ASIDE',
        'KEPT', 'FROZEN'
      )),
      plots integer[] not null,
      note text check (length(note) <= 1000),
      -- Of a swap that takes another back.
      undoes uuid references trial_events on delete cascade,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index trial_events_trial on trial_events (trial_id, id)`.execute(db);
  await sql`create unique index trial_events_undoes on trial_events (undoes)`.execute(db);
  await sql`create index trial_events_creator on trial_events (created_by)`.execute(db);
  await sql`
    create table trial_observations (
      trial_id uuid not null,
      -- Made by whoever observed, so that the same may be sent twice.
      id uuid not null,
      plot integer not null,
      trait text not null check (trait <> '' and length(trait) <= 255),
      -- Null: nothing could be observed.
      value text check (length(value) <= 1000),
      observed_at timestamptz(3) not null,
      collector text check (length(collector) between 1 and 255),
      origin text not null check (origin in ('FILE', 'BRAPI', 'TYPED')),
      -- Observations that this one replaces, as far as its author knew of them.
      corrects uuid[] not null,
      -- Nothing corrects it.
      is_current boolean not null,
      state text not null default 'KEPT' check (state in ('KEPT', 'SET_ASIDE')),
      reason text check (length(reason) <= 1000),
      judged_by uuid references users on delete set null,
      judged_at timestamptz(3),
      external_references jsonb,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      primary key (trial_id, id),
      foreign key (trial_id, plot) references trial_plots on delete cascade
    )
  `.execute(db);
  await sql`create index trial_observations_plot on trial_observations (trial_id, plot, trait)`.execute(db);
  await sql`
    create index trial_observations_trait on trial_observations (trial_id, trait, plot) where is_current
  `.execute(db);
  await sql`create index trial_observations_corrects on trial_observations using gin (corrects)`.execute(db);
  await sql`create index trial_observations_creator on trial_observations (created_by)`.execute(db);
  await sql`create index trial_observations_judge on trial_observations (judged_by)`.execute(db);
}
