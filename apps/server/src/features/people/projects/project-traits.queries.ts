import { type ProjectTrait, type TraitScale, UNSET_TRAIT, type UpdatedTrait } from '@heterosis/contracts/people/traits';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/**
 * Name and place of each trait of the project's phenotype files, in the order that all lists, results and exports have:
 * as the columns of the oldest file stand, then those that only later files have.
 */
export const placesOfTraits = (projectId: string): RawBuilder<{ name: string; place: number }> => sql`(
  select name, (row_number() over (order by created_at, id, nth))::int as place
  from (
    select distinct on (trait.name) trait.name, files.created_at, files.id, nth from files,
      jsonb_array_elements_text(coalesce(files.meta -> 'traits', '[]')) with ordinality as trait (name, nth)
    where files.project_id = ${projectId} and files.deleted_at is null and files.file_type = 'PHENOTYPE'
    order by trait.name, files.created_at, files.id, nth
  ) as first)`;

/** Some traits in the order of the project; those that no file has any more come last. */
export async function inOrderOfProject(db: Queryable, projectId: string, traits: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${traits}::text[]) with ordinality as wanted (name, nth)
      left join ${placesOfTraits(projectId)} as places using (name)
    order by place nulls last, nth
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** The traits of the phenotype files and those that were set, in the order of the project. */
export async function listProjectTraits(db: Queryable, projectId: string): Promise<ProjectTrait[]> {
  const { rows } = await sql<ProjectTrait>`
    select name, coalesce(direction, ${UNSET_TRAIT.direction}) as direction, unit,
      coalesce(weight, ${UNSET_TRAIT.weight}) as weight, scale, details, ontology_id
    from ${placesOfTraits(projectId)} as found
    full join (select * from project_traits where project_id = ${projectId}) as chosen using (name)
    order by place nulls last, lower(name), name
  `.execute(db);
  return rows;
}

/** Those of some names that are traits of the project: of its phenotype files, or set. */
export async function knownTraits(db: Queryable, projectId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name
    where name in (select found.name from ${placesOfTraits(projectId)} as found)
      or name in (select chosen.name from project_traits as chosen where chosen.project_id = ${projectId})
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** The settings of these traits, in their order. */
export async function findTraitSettings(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<ProjectTrait[]> {
  const rows = await db
    .selectFrom('project_traits')
    .select(['name', 'direction', 'unit', 'weight', 'scale', 'details', 'ontology_id'])
    .where('project_id', '=', projectId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute();
  const byName = new Map(
    rows.map((row) => [
      row.name,
      { ...row, scale: row.scale as ProjectTrait['scale'], direction: row.direction as ProjectTrait['direction'] },
    ]),
  );
  return names.map((name) => byName.get(name) ?? { name, ...UNSET_TRAIT });
}

/** Sets traits; a scale, details or an id that are absent (undefined) stay as they are. */
export async function upsertProjectTraits(
  db: Queryable,
  projectId: string,
  traits: readonly UpdatedTrait[],
): Promise<void> {
  for (const alike of byGivenFields(traits))
    await db
      .insertInto('project_traits')
      .values(alike.map(({ scale, ...one }) => ({ project_id: projectId, ...one, ...scaleColumn(scale) })))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'name']).doUpdateSet((set) => ({
          direction: set.ref('excluded.direction'),
          unit: set.ref('excluded.unit'),
          weight: set.ref('excluded.weight'),
          ...(alike[0]?.scale !== undefined && { scale: set.ref('excluded.scale') }),
          ...(alike[0]?.details !== undefined && { details: set.ref('excluded.details') }),
          ...(alike[0]?.ontology_id !== undefined && { ontology_id: set.ref('excluded.ontology_id') }),
          updated_at: sql`now()`,
        })),
      )
      .execute();
}

const scaleColumn = (scale: TraitScale | null | undefined): { scale?: string | null } =>
  scale === undefined ? {} : { scale: scale === null ? null : JSON.stringify(scale) };

/** Traits of which the same fields are given, together: one statement sets the same columns of all its rows. */
function byGivenFields(traits: readonly UpdatedTrait[]): UpdatedTrait[][] {
  const groups = Object.groupBy(traits, ({ scale, details, ontology_id }) =>
    [scale, details, ontology_id].map((field) => field !== undefined).join(),
  );
  return Object.values(groups).filter((group) => group !== undefined);
}
