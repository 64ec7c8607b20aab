import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { MiappeInput } from './miappe-sections.ts';

type Investigation = MiappeInput['project'] & Pick<MiappeInput, 'organization' | 'crop'>;

/** A project with the names of what it belongs to. */
export async function readInvestigation(db: Queryable, projectId: string): Promise<Investigation> {
  const { rows } = await sql<Investigation>`
    select p.id, p.name, p.description, o.name as organization, c.name as crop from projects p
    join organizations o on o.id = p.organization_id left join crops c on c.id = p.crop_id where p.id = ${projectId}
  `.execute(db);
  const [project] = rows;
  if (project === undefined) throw new Error(`There is no project ${projectId}.`);
  return project;
}

/** Attributes of the lines on the plots of a project, by name; names of attributes in capitals. */
export async function readAttributes(db: Queryable, projectId: string): Promise<MiappeInput['attributes']> {
  const { rows } = await sql<{ name: string; attributes: Record<string, string> }>`
    select g.name, g.attributes from germplasm g where g.attributes <> '{}' and g.id in (
      select p.germplasm_id from trial_plots p join trials t on t.id = p.trial_id
      where t.project_id = ${projectId} and t.deleted_at is null)
  `.execute(db);
  return new Map(
    rows.map(({ name, attributes }) => [
      name,
      new Map(Object.entries(attributes).map(([key, value]) => [key.toUpperCase(), value])),
    ]),
  );
}
