import type { PlannedThing, ProgrammeStepLink, StepState } from '@heterosis/contracts/work/programmes/programme-plans';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { namedItem } from '../../people/home/index.ts';

export interface PlanRow {
  scheme_place: number;
  scheme: ProgrammeScheme;
  founders: number;
  starts_on: string;
  started_by: string | null;
  started_at: string;
}

/** Of a programme of the project. */
interface Named {
  projectId: string;
  programmeId: string;
}

export async function findPlan(
  db: Queryable,
  { projectId, programmeId }: Named,
  isLocked = false,
): Promise<PlanRow | undefined> {
  const { rows } = await sql<PlanRow>`
    select one.scheme_place, one.scheme, one.founders, one.starts_on::text as starts_on,
      coalesce(users.name, users.email) as started_by, one.created_at as started_at
    from programme_plans as one left join users on users.id = one.created_by
    where one.project_id = ${projectId} and one.programme_id = ${programmeId}
    ${isLocked ? sql`for update of one` : sql``}
  `.execute(db);
  return rows[0];
}

/** Whether it was stored: of two who start a programme at once the first has. */
export async function insertPlan(
  db: Queryable,
  plan: Named & { place: number; scheme: ProgrammeScheme; founders: number; startsOn: string; createdBy: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('programme_plans')
    .values({
      ...{ programme_id: plan.programmeId, project_id: plan.projectId, scheme_place: plan.place },
      ...{ scheme: JSON.stringify(plan.scheme), founders: plan.founders, starts_on: plan.startsOn },
      created_by: plan.createdBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function updatePlan(db: Queryable, { projectId, programmeId }: Named, startsOn: string): Promise<void> {
  await db
    .updateTable('programme_plans')
    .set({ starts_on: startsOn })
    .where('project_id', '=', projectId)
    .where('programme_id', '=', programmeId)
    .execute();
}

export async function deletePlan(db: Queryable, { projectId, programmeId }: Named): Promise<void> {
  await db
    .deleteFrom('programme_plans')
    .where('project_id', '=', projectId)
    .where('programme_id', '=', programmeId)
    .execute();
}

export interface StepRow {
  step: string;
  state: StepState;
  due_on: string | null;
  note: string;
}

/** What people have said of steps; of the others there is nothing to say. */
export async function listSteps(db: Queryable, programmeId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select step, state, due_on::text as due_on, note from programme_plan_steps where programme_id = ${programmeId}
  `.execute(db);
  return rows;
}

export async function upsertStep(db: Queryable, programmeId: string, step: StepRow): Promise<void> {
  const { step: _step, ...said } = step;
  await db
    .insertInto('programme_plan_steps')
    .values({ programme_id: programmeId, ...step })
    .onConflict((conflict) => conflict.columns(['programme_id', 'step']).doUpdateSet(said))
    .execute();
}

export interface LinkRow extends ProgrammeStepLink {
  step: string;
}

/** Kinds of run with one state. */
const ONE_STEP_KINDS = runKinds.filter((kind) => !RUN_KINDS[kind].perTrait);

/** In the order in which they were linked. What is gone or in the bin has no name. */
export async function listLinks(db: Queryable, { projectId, programmeId }: Named): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select mark.id, mark.step, mark.kind, mark.item_id, item.name, mark.linked_at,
      coalesce(users.name, users.email) as linked_by,
      case mark.kind
        when 'trial' then (select state from trials where id = mark.item_id and project_id = ${projectId})
        when 'decision' then (select state from decisions where id = mark.item_id and project_id = ${projectId})
        ${sql.join(
          ONE_STEP_KINDS.map(
            (kind) => sql`when ${sql.lit(kind)} then
              (select status from ${sql.table(RUN_KINDS[kind].path)} where id = mark.item_id and project_id = ${projectId})`,
          ),
          sql` `,
        )}
      end as status,
      (select lists.id from lists where lists.project_id = ${projectId} and lists.kind = 'germplasm' and lists.id =
        case mark.kind
          when 'list' then mark.item_id
          when 'decision' then
            (select list_id from decisions where id = mark.item_id and project_id = ${projectId} and deleted_at is null)
        end) as list_id
    from (
      select id, step, kind, item_id, created_by, created_at as linked_at, ${projectId}::uuid as project_id
      from programme_plan_links where programme_id = ${programmeId}
    ) as mark
    left join users on users.id = mark.created_by
    left join lateral ${namedItem} as item on true
    order by mark.linked_at, mark.id
  `.execute(db);
  return rows;
}

/** Whether the project has it, outside of the bin. */
export async function isThingOf(
  db: Queryable,
  projectId: string,
  kind: PlannedThing,
  itemId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from (values (${kind}, ${itemId}::uuid, ${projectId}::uuid)) as mark (kind, item_id, project_id)
    cross join lateral ${namedItem} as item
  `.execute(db);
  return rows.length > 0;
}

/** What is linked already stays as it is. */
export async function insertLink(
  db: Queryable,
  link: { programmeId: string; step: string; kind: PlannedThing; itemId: string; createdBy: string },
): Promise<void> {
  await db
    .insertInto('programme_plan_links')
    .values({
      ...{ id: uuidv7(), programme_id: link.programmeId, step: link.step, kind: link.kind, item_id: link.itemId },
      created_by: link.createdBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteLink(db: Queryable, programmeId: string, id: string): Promise<void> {
  await db.deleteFrom('programme_plan_links').where('programme_id', '=', programmeId).where('id', '=', id).execute();
}
