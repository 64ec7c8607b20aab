import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import { EVENT_CHANNEL } from '../../platform/events/events.ts';

/**
 * Runs that wait, each with how many of its lane begin before it if no others come: by the turns of their jobs, in which organizations
 * alternate, and within a turn as they were asked for. All tenants count; nothing but the number is told. That what waits has not ended is
 * said for the index of such runs.
 */
export const waitingRuns = sql<{ id: string; runs_before: number }>`(
  select id, row_number() over (partition by jobs -> 0 ->> 'queue' order by (jobs -> 0 ->> 'turn')::int nulls first, created_at, id)::int - 1 as runs_before
  from runs where state = 'QUEUED' and finished_at is null)`;

/** Who waits behind more hears of it when the page asks again. */
const TOLD = 100;

/** The queue has moved: tells everything that waits its new place, each only to those who see its project. */
export async function publishQueue(db: Queryable): Promise<void> {
  await sql`
    select pg_notify(${EVENT_CHANNEL}, json_build_object(
      'type', case
        when file_id is not null then 'file'
        when model_id is not null then 'model'
        when prediction_id is not null then 'prediction'
        when crossing_simulation_id is not null then 'crossing_simulation'
        else 'gwas' end,
      'id', coalesce(file_id, model_id, prediction_id, crossing_simulation_id, gwas_id),
      'project_id', project_id,
      'organization_id', organization_id,
      'runs_before', runs_before)::text)
    from ${waitingRuns} as waiting
    join runs using (id)
    join projects on projects.id = runs.project_id
    where runs_before < ${TOLD}
  `.execute(db);
}
