import type { Germplasm, GermplasmSort } from '@heterosis/contracts/data/germplasm';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { CursorKey } from '../../../platform/http/pagination.ts';
import { all, COLUMNS, type Condition, found, type GermplasmScope, inScope, JOINS } from './germplasm-scope.ts';

export interface GermplasmFilter {
  search?: string | undefined;
  collection?: string | undefined;
  parentId?: string | undefined;
}

function conditionsOf(scope: GermplasmScope, { search, collection, parentId }: GermplasmFilter): Condition[] {
  const conditions = inScope(scope);
  if (collection !== undefined) conditions.push(sql<boolean>`g.collection = ${collection}`);
  if (parentId !== undefined)
    conditions.push(sql<boolean>`(g.maternal_id = ${parentId}::uuid or g.paternal_id = ${parentId}::uuid)`);
  if (search !== undefined && search !== '') conditions.push(found(scope, search));
  return conditions;
}

/** What a list is ordered by, besides the id. */
const ORDERS: Record<string, { column: RawBuilder<unknown>; type: RawBuilder<unknown> }> = {
  name: { column: sql`lower(g.name)`, type: sql`text` },
  collection: { column: sql`lower(coalesce(g.collection, ''))`, type: sql`text` },
  created_at: { column: sql`g.created_at`, type: sql`timestamptz` },
  updated_at: { column: sql`g.updated_at`, type: sql`timestamptz` },
};

export type ListedGermplasm = Germplasm & { sort_key: string };

/** One page and, if there is a next one, a row more. */
export async function listGermplasm(
  db: Queryable,
  scope: GermplasmScope,
  filter: GermplasmFilter & { sort: GermplasmSort; limit: number; after: CursorKey | undefined },
): Promise<ListedGermplasm[]> {
  const isDescending = filter.sort.startsWith('-');
  const order = ORDERS[isDescending ? filter.sort.slice(1) : filter.sort];
  if (order === undefined) throw new Error(`no order ${filter.sort}`);
  const { column, type } = order;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const conditions = conditionsOf(scope, filter);
  if (filter.after !== undefined) {
    const [value, id] = filter.after;
    const sign = isDescending ? sql`<` : sql`>`;
    conditions.push(sql<boolean>`(${column}, g.id) ${sign} (${value}::${type}, ${id}::uuid)`);
  }
  // The page first, then what is joined to it.
  const { rows } = await sql<ListedGermplasm>`
    select ${COLUMNS}, page.sort_key
    from (
      select g.id, ${column} as sort_key from germplasm as g where ${all(conditions)}
      order by ${column} ${direction}, g.id ${direction} limit ${filter.limit + 1}
    ) as page
    join germplasm as g on g.id = page.id
    ${JOINS}
    order by page.sort_key ${direction}, g.id ${direction}
  `.execute(db);
  return rows;
}

export async function countGermplasm(db: Queryable, scope: GermplasmScope, filter: GermplasmFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from germplasm as g where ${all(conditionsOf(scope, filter))}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function findGermplasm(
  db: Queryable,
  scope: GermplasmScope,
  id: string,
): Promise<(Germplasm & { created_by: string | null }) | undefined> {
  const { rows } = await sql<Germplasm & { created_by: string | null }>`
    select ${COLUMNS}, coalesce(creator.name, creator.email) as created_by
    from germplasm as g ${JOINS}
    left join users as creator on creator.id = g.created_by
    where ${all(inScope(scope))} and g.id = ${id}
  `.execute(db);
  return rows[0];
}

/** The name of a germplasm that was merged or deleted. */
export function findGone(db: Queryable, id: string): Promise<{ name: string; is_distinct: boolean }> {
  return db.selectFrom('germplasm').select(['name', 'is_distinct']).where('id', '=', id).executeTakeFirstOrThrow();
}

/** The germplasm that a merged one has become part of. */
/** The germplasm that has this name, or else this synonym. */
export async function findNamed(db: Queryable, scope: GermplasmScope, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select g.id from germplasm as g
    where ${all(inScope(scope))} and (g.name = ${name} or exists (
      select from germplasm_synonyms as s where s.germplasm_id = g.id and s.name = ${name}))
    order by g.name = ${name} desc, g.id limit 1
  `.execute(db);
  return rows[0]?.id;
}

export async function findMergedInto(db: Queryable, organizationId: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('germplasm')
    .select('merged_into')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.merged_into ?? undefined;
}

/**
 * Lets changes to the germplasm of a crop take turns; held until the end of the transaction, which makes the next
 * version of the list. Returns the version until now, undefined where there is no such crop.
 */
export async function lockCrop(db: Queryable, organizationId: string, cropId: string): Promise<number | undefined> {
  const row = await db
    .updateTable('crops')
    .set({ germplasm_version: sql<number>`germplasm_version + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', cropId)
    .returning(sql<number>`germplasm_version - 1`.as('version'))
    .executeTakeFirst();
  return row?.version;
}

/** Read before the list: if it is still the version afterwards, the list is that version's. */
export async function readListVersion(db: Queryable, cropId: string): Promise<number> {
  const { germplasm_version: version } = await db
    .selectFrom('crops')
    .select('germplasm_version')
    .where('id', '=', cropId)
    .executeTakeFirstOrThrow();
  return version;
}

/** Germplasm that bears a name, as its own or as a synonym; for the check before a name is given. */
export async function findOwnersOfName(
  db: Queryable,
  cropId: string,
  name: string,
): Promise<{ id: string; name: string; how: 'name' | 'synonym' | 'folded' }[]> {
  const fold = foldName(name);
  const { rows } = await sql<{ id: string; name: string; how: 'name' | 'synonym' | 'folded' }>`
    select id, name, case when name = ${name} then 'name' else 'folded' end as how from germplasm
    where crop_id = ${cropId} and deleted_at is null and (name = ${name} or (folded_name = ${fold} and ${fold} <> ''))
    union all
    select g.id, g.name, 'synonym' from germplasm_synonyms as s join germplasm as g on g.id = s.germplasm_id
    where s.crop_id = ${cropId} and s.name = ${name}
  `.execute(db);
  return rows;
}

/** Whether one germplasm is another or one of its ancestors. */
export async function isSameOrAncestor(db: Queryable, id: string, of: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive line(id) as (
      select ${of}::uuid
      union
      select parent.id from line
      join germplasm as g on g.id = line.id
      cross join lateral (values (g.maternal_id), (g.paternal_id)) as parent(id)
      where parent.id is not null
    )
    select 1 from line where id = ${id}::uuid limit 1
  `.execute(db);
  return rows.length > 0;
}

export interface GermplasmFields {
  name: string;
  is_distinct: boolean;
  collection: string | null;
  maternal_id: string | null;
  paternal_id: string | null;
  cross_type: Germplasm['cross_type'];
  selfing_generations: number | null;
  attributes: Record<string, string>;
}

export async function updateGermplasm(
  db: Queryable,
  organizationId: string,
  id: string,
  { attributes, ...fields }: Partial<GermplasmFields>,
): Promise<void> {
  await db
    .updateTable('germplasm')
    .set({
      ...fields,
      ...(fields.name === undefined ? {} : { folded_name: foldName(fields.name) }),
      ...(attributes === undefined ? {} : { attributes: JSON.stringify(attributes) }),
      updated_at: sql<string>`now()`,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Gives a germplasm exactly these synonyms. */
export async function replaceSynonyms(
  db: Queryable,
  { cropId, id, userId }: { cropId: string; id: string; userId: string },
  names: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('germplasm_synonyms')
    .where('germplasm_id', '=', id)
    .where('crop_id', '=', cropId)
    .where((where) => where.not(where('name', '=', sql<string>`any(${names}::text[])`)))
    .execute();
  await addSynonyms(
    db,
    { cropId, userId },
    names.map((name) => ({ germplasmId: id, name })),
  );
}

/** Adds synonyms; those that the germplasm has already stay. */
export async function addSynonyms(
  db: Queryable,
  { cropId, userId }: { cropId: string; userId: string | null },
  synonyms: readonly { germplasmId: string; name: string }[],
): Promise<void> {
  if (synonyms.length === 0) return;
  await sql`
    insert into germplasm_synonyms (crop_id, name, folded_name, germplasm_id, created_by)
    select ${cropId}::uuid, given.name, given.folded_name, given.germplasm_id, ${userId}::uuid
    from unnest(
      ${synonyms.map(({ name }) => name)}::text[],
      ${synonyms.map(({ name }) => foldName(name))}::text[],
      ${synonyms.map(({ germplasmId }) => germplasmId)}::uuid[]
    ) as given(name, folded_name, germplasm_id)
    on conflict (crop_id, name) do nothing
  `.execute(db);
}
