import type { OverviewResults } from '@heterosis/contracts/people/projects';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** Traits shown; a project may have a thousand. */
const TRAITS = 8;

/** For the overview of a project: the best crosses of its newest crossing simulation. */
export async function readBestCrosses(db: Queryable, projectId: string): Promise<Pick<OverviewResults, 'crosses'>> {
  const { rows } = await sql<NonNullable<OverviewResults['crosses']>>`
    select jsonb_build_object('id', id, 'name', name) as simulation, (report ->> 'crosses')::int as crosses,
      coalesce((
        select jsonb_agg(value || jsonb_build_object('trait', key) order by array_position(traits, key))
        from (
          select key, value from jsonb_each(report -> 'best') order by array_position(traits, key) limit ${TRAITS}
        ) as best
      ), '[]') as best
    from crossing_simulations
    where project_id = ${projectId} and deleted_at is null and status = 'SUCCESS' and report is not null
    order by created_at desc, id desc
    limit 1
  `.execute(db);
  return { crosses: rows[0] ?? null };
}
