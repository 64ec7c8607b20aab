import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { all, type GermplasmScope, inScope } from '../germplasm/index.ts';

/** A germplasm with the ids of its parents. */
export interface PedigreeRow
  extends Pick<PedigreeIndividual, 'id' | 'name' | 'collection' | 'cross_type' | 'selfing_generations'> {
  maternal_id: string | null;
  paternal_id: string | null;
}

export interface PedigreeSelection {
  /** Whose individuals a graph begins with. */
  seeds: GermplasmScope;
  /** Where ancestors and descendants are looked for. */
  within: GermplasmScope;
  /** Only the relatives in a straight line of this germplasm. */
  around: string | undefined;
  /** At most this many. */
  limit: number;
}

/**
 * The individuals of a graph, one row more than `limit` if there are more: the seeds, the newest first when they are
 * too many, and all their ancestors; or the ancestors and the descendants of one germplasm.
 */
export async function listPedigree(db: Queryable, selection: PedigreeSelection): Promise<PedigreeRow[]> {
  const { around, limit, seeds, within } = selection;
  // All of a list has its ancestors with it.
  const isWhole = around === undefined && seeds === within;
  const members =
    around === undefined
      ? sql`select id from up limit ${limit + 1}`
      : sql`(select id from up union select id from down) limit ${limit + 1}`;
  const { rows } = await sql<PedigreeRow>`
    with recursive
      seed as (${seedsOf(selection)}),
      up as (${isWhole ? sql`select id from seed` : upwards(selection.within)}),
      down as (
        select id from seed where ${around !== undefined}
        union
        select g.id from down
        join germplasm as g on g.maternal_id = down.id or g.paternal_id = down.id
        where ${all(inScope(selection.within))}
      ),
      member as (${members})
    select g.id, g.name, g.collection, g.maternal_id, g.paternal_id, g.cross_type, g.selfing_generations
    from member join germplasm as g on g.id = member.id
    order by g.id
  `.execute(db);
  return rows;
}

function seedsOf({ seeds, within, around, limit }: PedigreeSelection): RawBuilder<unknown> {
  if (around !== undefined) {
    return sql`select g.id from germplasm as g where ${all(inScope(within))} and g.id = ${around}::uuid`;
  }
  return sql`select g.id from germplasm as g where ${all(inScope(seeds))} order by g.id desc limit ${limit}`;
}

const upwards = (within: GermplasmScope): RawBuilder<unknown> => sql`
  select id from seed
  union
  select g.id from up
  join germplasm as child on child.id = up.id
  cross join lateral (values (child.maternal_id), (child.paternal_id)) as parent (id)
  join germplasm as g on g.id = parent.id
  where ${all(inScope(within))}`;

/** Some germplasm and all their ancestors. */
export async function listAncestors(
  db: Queryable,
  within: GermplasmScope,
  ids: readonly string[],
  limit: number,
): Promise<PedigreeRow[]> {
  const { rows } = await sql<PedigreeRow>`
    with recursive
      seed as (
        select g.id from germplasm as g where ${all(inScope(within))} and g.id = any(${[...ids]}::uuid[])
      ),
      up as (${upwards(within)}),
      member as (select id from up limit ${limit + 1})
    select g.id, g.name, g.collection, g.maternal_id, g.paternal_id, g.cross_type, g.selfing_generations
    from member join germplasm as g on g.id = member.id
    order by g.id
  `.execute(db);
  return rows;
}

/** Ids of the germplasm with these names. */
export async function listNamed(db: Queryable, within: GermplasmScope, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select g.id from germplasm as g where ${all(inScope(within))} and g.name = any(${[...names]}::text[]) order by g.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** A line with its two parents, by name. */
export interface ProgenyRow {
  name: string;
  female: string;
  male: string;
}

/** The oldest line of each pair of parents, reciprocals included, where both parents are among these names. */
export async function listPairProgeny(
  db: Queryable,
  within: GermplasmScope,
  names: readonly string[],
): Promise<ProgenyRow[]> {
  const { rows } = await sql<ProgenyRow>`
    with parent as (
      select g.id, g.name from germplasm as g where ${all(inScope(within))} and g.name = any(${[...names]}::text[])
    )
    select distinct on (least(mother.id, father.id), greatest(mother.id, father.id))
      g.name, mother.name as female, father.name as male
    from germplasm as g
    join parent as mother on mother.id = g.maternal_id
    join parent as father on father.id = g.paternal_id and father.id <> mother.id
    where ${all(inScope(within))}
    order by least(mother.id, father.id), greatest(mother.id, father.id), g.id
  `.execute(db);
  return rows;
}

export async function countInScope(db: Queryable, scope: GermplasmScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from germplasm as g where ${all(inScope(scope))}
  `.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** All germplasm of the crop of a project; undefined when it has none. */
export async function cropOfProject(db: Queryable, projectId: string): Promise<GermplasmScope | undefined> {
  const { crop_id, organization_id } = await db
    .selectFrom('projects')
    .select(['crop_id', 'organization_id'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return crop_id === null ? undefined : { organizationId: organization_id, cropId: crop_id, usedIn: undefined };
}
