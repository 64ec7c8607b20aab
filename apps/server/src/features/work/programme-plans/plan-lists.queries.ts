import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** Id of the list of the last of these steps that has one: a linked list, or that of a linked closed decision. */
export async function findPlanList(
  db: Queryable,
  { projectId, programmeId }: { projectId: string; programmeId: string },
  steps: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select lists.id
    from programme_plan_links as link
    left join decisions on link.kind = 'decision' and decisions.id = link.item_id
      and decisions.project_id = ${projectId} and decisions.deleted_at is null
    join lists on lists.project_id = ${projectId} and lists.kind = 'germplasm'
      and lists.id = case link.kind when 'list' then link.item_id when 'decision' then decisions.list_id end
    where link.programme_id = ${programmeId} and link.step = any(${steps}::text[])
    order by array_position(${steps}::text[], link.step) desc, link.created_at desc, link.id desc
    limit 1
  `.execute(db);
  return rows[0]?.id;
}
