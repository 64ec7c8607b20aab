import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import { EVENT_CHANNEL } from '../../../../platform/events/events.ts';

/**
 * Waiting runs, each with the number of runs ahead of it in its lane if no others are added. They are ordered by the
 * turns of their jobs, which alternate between organizations and between the people of each, and within a turn by the
 * time of the request. All tenants are counted, but only the number is disclosed. The condition on `finished_at` allows
 * the use of the index of unfinished runs.
 */
export const waitingRuns = sql<{ id: string; runs_before: number }>`(
  select runs.id,
    row_number() over (partition by jobs -> 0 ->> 'queue' order by job.priority desc nulls last, runs.created_at, runs.id)::int - 1 as runs_before
  from runs left join pgboss.job on job.name = jobs -> 0 ->> 'queue' and job.id = (jobs -> 0 ->> 'id')::uuid
  where runs.state = 'QUEUED' and finished_at is null)`;

/** Positions further back in the queue are not published; the page sees them when it reloads. */
const TOLD = 100;

/**
 * Publishes the new places of all waiting runs. Only users with access to the run's project receive its event; of a run
 * of an organization, only who asked for it.
 */
export async function publishQueue(db: Queryable): Promise<void> {
  await sql`
    select pg_notify(${EVENT_CHANNEL}, (jsonb_build_object(
      'type', entity_kind,
      'id', entity_id,
      'project_id', runs.project_id,
      'organization_id', coalesce(runs.organization_id, projects.organization_id),
      'runs_before', runs_before
    ) || case when runs.project_id is null then jsonb_build_object('user_ids', jsonb_build_array(requested_by))
      else '{}' end)::text)
    from ${waitingRuns} as waiting
    join runs using (id)
    left join projects on projects.id = runs.project_id
    where runs_before < ${TOLD}
  `.execute(db);
}
