import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import type { Json } from '../envelope.ts';

export interface WrittenProject {
  id: string;
  project_id: string;
  name: string;
  description: string | null;
  additional_info: Json;
  external_references: Json[];
}

export interface WrittenPlan {
  id: string;
  crossing_project_id: string;
  name: string;
  cross_type: string;
  status: string;
  female: string;
  male: string | null;
  additional_info: Json;
  external_references: Json[];
}

export interface WrittenCross {
  id: string;
  project_id: string;
  crossing_project: string;
  planned_cross: string | null;
  name: string;
  cross_type: string;
  female: string;
  male: string | null;
  pollination_events: Json[];
  cross_attributes: Json[];
  additional_info: Json;
  external_references: Json[];
}

/** Of these projects, the oldest first. */
export async function listWrittenProjects(db: Queryable, projectIds: readonly string[]): Promise<WrittenProject[]> {
  const { rows } =
    await sql<WrittenProject>`select id, project_id, name, description, additional_info, external_references from crossing_projects
    where project_id = any(${[...projectIds]}::uuid[]) order by id
  `.execute(db);
  return rows;
}

/** Of these crossing projects. */
export async function listWrittenPlans(db: Queryable, ids: readonly string[]): Promise<WrittenPlan[]> {
  const { rows } =
    await sql<WrittenPlan>`select id, crossing_project_id, name, cross_type, status, female, male, additional_info, external_references
    from planned_crosses where crossing_project_id = any(${[...ids]}::uuid[]) order by id
  `.execute(db);
  return rows;
}

/** Of these projects. */
export async function listWrittenCrosses(db: Queryable, projectIds: readonly string[]): Promise<WrittenCross[]> {
  const { rows } =
    await sql<WrittenCross>`select id, project_id, crossing_project, planned_cross, name, cross_type, female, male, pollination_events,
      cross_attributes, additional_info, external_references
    from made_crosses where project_id = any(${[...projectIds]}::uuid[]) order by id
  `.execute(db);
  return rows;
}

const json = (value: object): string => JSON.stringify(value);

/** Inserts, or replaces the one of this id in the same project. */
export async function saveWrittenProject(db: Queryable, written: WrittenProject): Promise<void> {
  const { id, project_id, name, description, additional_info, external_references } = written;
  await sql`
    insert into crossing_projects (id, project_id, name, description, additional_info, external_references)
    values (${id}, ${project_id}, ${name}, ${description}, ${json(additional_info)}, ${json(external_references)})
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      additional_info = excluded.additional_info, external_references = excluded.external_references
    where crossing_projects.project_id = excluded.project_id
  `.execute(db);
}

/** Inserts, or replaces the one of this id in the same crossing project. */
export async function saveWrittenPlan(db: Queryable, plan: WrittenPlan): Promise<void> {
  await sql`
    insert into planned_crosses
      (id, crossing_project_id, name, cross_type, status, female, male, additional_info, external_references)
    values (${plan.id}, ${plan.crossing_project_id}, ${plan.name}, ${plan.cross_type}, ${plan.status}, ${plan.female},
      ${plan.male}, ${json(plan.additional_info)}, ${json(plan.external_references)})
    on conflict (id) do update set name = excluded.name, cross_type = excluded.cross_type, status = excluded.status,
      female = excluded.female, male = excluded.male, additional_info = excluded.additional_info,
      external_references = excluded.external_references
    where planned_crosses.crossing_project_id = excluded.crossing_project_id
  `.execute(db);
}

/** Inserts, or replaces the one of this id in the same project. */
export async function saveWrittenCross(db: Queryable, cross: WrittenCross): Promise<void> {
  await sql`
    insert into made_crosses (id, project_id, crossing_project, planned_cross, name, cross_type, female, male,
      pollination_events, cross_attributes, additional_info, external_references)
    values (${cross.id}, ${cross.project_id}, ${cross.crossing_project}, ${cross.planned_cross}, ${cross.name},
      ${cross.cross_type}, ${cross.female}, ${cross.male}, ${json(cross.pollination_events)},
      ${json(cross.cross_attributes)}, ${json(cross.additional_info)}, ${json(cross.external_references)})
    on conflict (id) do update set crossing_project = excluded.crossing_project,
      planned_cross = excluded.planned_cross, name = excluded.name, cross_type = excluded.cross_type,
      female = excluded.female, male = excluded.male, pollination_events = excluded.pollination_events,
      cross_attributes = excluded.cross_attributes, additional_info = excluded.additional_info,
      external_references = excluded.external_references
    where made_crosses.project_id = excluded.project_id
  `.execute(db);
}

/** Counts a write of planned crosses. */
export async function raiseCrossingRevision(trx: DatabaseTransaction, id: string, userId: string): Promise<void> {
  await sql`
    update crossing_projects set revision = revision + 1, changed_at = now(), changed_by = ${userId} where id = ${id}
  `.execute(trx);
}
