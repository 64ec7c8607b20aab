import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { EVENT_CHANNEL } from '../../../platform/events/events.ts';

/**
 * Runs that wait, each with the number of runs in its lane that begin before it if no others come. The order is by the turns of their
 * jobs, in which organizations alternate, and within a turn by the time of the request. The count is over all tenants; nothing but the
 * number is told. The condition on `finished_at` is there for the index of unfinished runs.
 */
export const waitingRuns = sql<{ id: string; runs_before: number }>`(
  select id, row_number() over (partition by jobs -> 0 ->> 'queue' order by (jobs -> 0 ->> 'turn')::int nulls first, created_at, id)::int - 1 as runs_before
  from runs where state = 'QUEUED' and finished_at is null)`;

/** A run with more runs than this before it learns its place when its page asks again. */
const TOLD = 100;

/** The queue has moved: tells everything that waits its new place, each only to those who see its project. */
export async function publishQueue(db: Queryable): Promise<void> {
  await sql`
    select pg_notify(${EVENT_CHANNEL}, json_build_object(
      'type', entity_kind,
      'id', entity_id,
      'project_id', project_id,
      'organization_id', organization_id,
      'runs_before', runs_before)::text)
    from ${waitingRuns} as waiting
    join runs using (id)
    join projects on projects.id = runs.project_id
    where runs_before < ${TOLD}
  `.execute(db);
}
