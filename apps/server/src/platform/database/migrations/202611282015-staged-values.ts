import { type Kysely, sql } from 'kysely';

/** Values that clients sent and that wait until somebody accepts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table trials add column client_values text not null default 'ALL'
      check (client_values in ('ALL', 'NEW', 'NONE'))
  `.execute(db);
  await sql`alter table trial_observations drop constraint trial_observations_state_check`.execute(db);
  await sql`
    alter table trial_observations add constraint trial_observations_state_check
      check (state in ('KEPT', 'SET_ASIDE', 'STAGED', 'DECLINED'))
  `.execute(db);
  await sql`
    create index trial_observations_staged on trial_observations (trial_id, plot) where state = 'STAGED'
  `.execute(db);
  await sql`alter table trial_events drop constraint trial_events_type_check`.execute(db);
  await sql`
    alter table trial_events add constraint trial_events_type_check check (type in (
      'CREATED', 'LAYOUT_REPLACED', 'SWAPPED', 'SWAP_UNDONE', 'SOWN', 'DRAFTED', 'CLOSED', 'REOPENED', 'SET_ASIDE',
      'KEPT', 'FROZEN', 'ACCEPTED', 'DECLINED'
    ))
  `.execute(db);
}
