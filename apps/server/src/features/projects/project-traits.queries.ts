import type { ProjectTrait } from '@heterosis/contracts/projects';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';

/** What is true of a trait until somebody sets it. */
const DEFAULT_TRAIT = { direction: 'higher', unit: null, weight: 1 } as const;

/** The traits of the phenotype files and those that were set, by name. */
export async function listProjectTraits(db: Queryable, projectId: string): Promise<ProjectTrait[]> {
  const { rows } = await sql<ProjectTrait>`
    select name, coalesce(direction, ${DEFAULT_TRAIT.direction}) as direction, unit,
      coalesce(weight, ${DEFAULT_TRAIT.weight}) as weight
    from (
      select distinct trait as name from files,
        jsonb_array_elements_text(coalesce(files.meta -> 'traits', '[]')) as trait
      where files.project_id = ${projectId} and files.deleted_at is null and files.file_type = 'PHENOTYPE'
    ) as found
    full join (select * from project_traits where project_id = ${projectId}) as chosen using (name)
    order by lower(name), name
  `.execute(db);
  return rows;
}

/** The settings of these traits, in their order. */
export async function findTraitSettings(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<ProjectTrait[]> {
  const rows = await db
    .selectFrom('project_traits')
    .select(['name', 'direction', 'unit', 'weight'])
    .where('project_id', '=', projectId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute();
  const byName = new Map(rows.map((row) => [row.name, row as ProjectTrait]));
  return names.map((name) => byName.get(name) ?? { name, ...DEFAULT_TRAIT });
}

export async function upsertProjectTraits(
  db: Queryable,
  projectId: string,
  traits: readonly ProjectTrait[],
): Promise<void> {
  await db
    .insertInto('project_traits')
    .values(traits.map((one) => ({ project_id: projectId, ...one })))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet((set) => ({
        direction: set.ref('excluded.direction'),
        unit: set.ref('excluded.unit'),
        weight: set.ref('excluded.weight'),
        updated_at: sql`now()`,
      })),
    )
    .execute();
}
