import { sql } from 'kysely';
import { all, type Condition } from '../../data/germplasm/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { complete, type ListEntity } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import { type GermplasmRow, germplasmConditions, germplasmSegment, METHODS, pedigreeText, puiOf } from './germplasm.ts';

/** Generations that a request may ask for. */
const DEEPEST = 100;

export const pedigree: ListEntity<GermplasmRow> = {
  name: 'pedigree',
  id: null,
  hasSearch: true,
  async segments(scope, asked) {
    const conditions = await germplasmConditions(scope, asked);
    const isWhole = asked.flag('includeFullTree') === true;
    const up = isWhole ? DEEPEST : Math.min(asked.number('pedigreeDepth') ?? 0, DEEPEST);
    const down = isWhole ? DEEPEST : Math.min(asked.number('progenyDepth') ?? 0, DEEPEST);
    return [
      await germplasmSegment(
        scope,
        up > 0 || down > 0 ? [amongRelatives(await scope.visibleGermplasm(), conditions, up, down)] : conditions,
      ),
    ];
  },
  serialize: (scope, rows, asked) => pedigreeEntries(scope, rows, asked),
};

/** The germplasm of the conditions, their ancestors and their descendants of up to so many generations. */
function amongRelatives(visible: Condition, conditions: readonly Condition[], up: number, down: number): Condition {
  const seeds = sql`select g.id, 0 from germplasm as g where ${all([visible, ...conditions])}`;
  return sql<boolean>`g.id in (
    with recursive up(id, depth) as (
      ${seeds}
      union
      select g.id, up.depth + 1 from up
      join germplasm as child on child.id = up.id
      cross join lateral (values (child.maternal_id), (child.paternal_id)) as parent (id)
      join germplasm as g on g.id = parent.id
      where up.depth < ${up} and ${visible}
    ), down(id, depth) as (
      ${seeds}
      union
      select g.id, down.depth + 1 from down
      join germplasm as g on g.maternal_id = down.id or g.paternal_id = down.id
      where down.depth < ${down} and ${visible}
    )
    select id from up union select id from down
  )`;
}

async function pedigreeEntries(scope: BrapiScope, rows: readonly GermplasmRow[], asked: Asked): Promise<Json[]> {
  // Viewers ask for generations only and expect the edges.
  const isTree = asked.has('pedigreeDepth', 'progenyDepth') || asked.flag('includeFullTree') === true;
  const withParents = asked.flag('includeParents') ?? true;
  const withProgeny = asked.flag('includeProgeny') ?? isTree;
  const withSiblings = asked.flag('includeSiblings') ?? false;
  const progeny = withProgeny ? await progenyOf(scope, rows) : new Map<string, Json[]>();
  const siblings = withSiblings ? await siblingsOf(scope, rows) : new Map<string, Json[]>();
  return rows.map((row) =>
    complete('pedigree', {
      germplasmDbId: row.id,
      germplasmName: row.name,
      germplasmPUI: puiOf(row.id),
      defaultDisplayName: row.name,
      breedingMethodDbId: row.cross_type,
      breedingMethodName: row.cross_type === null ? null : METHODS[row.cross_type].name,
      pedigreeString: pedigreeText(row),
      parents: withParents ? parentsOf(row) : [],
      progeny: progeny.get(row.id) ?? [],
      siblings: siblings.get(row.id) ?? [],
    }),
  );
}

/** A line of one plant has it as both parents: viewers know edges of FEMALE and MALE only. */
export function parentsOf(row: GermplasmRow): Json[] {
  const { maternal_id, maternal_name, paternal_id, paternal_name, cross_type } = row;
  const parent = (id: string, name: string | null, parentType: string): Json => ({
    germplasmDbId: id,
    germplasmName: name,
    parentType,
  });
  const [only, onlyName] = maternal_id === null ? [paternal_id, paternal_name] : [maternal_id, maternal_name];
  const isOnly = maternal_id === null || paternal_id === null || maternal_id === paternal_id;
  if (only !== null && isOnly) {
    if (cross_type === 'CLONE') return [parent(only, onlyName, 'CLONAL')];
    if (cross_type === 'SELF' || cross_type === 'DH')
      return [parent(only, onlyName, 'FEMALE'), parent(only, onlyName, 'MALE')];
  }
  return [
    ...(maternal_id === null ? [] : [parent(maternal_id, maternal_name, 'FEMALE')]),
    ...(paternal_id === null ? [] : [parent(paternal_id, paternal_name, 'MALE')]),
  ];
}

/** By germplasm; a line of one plant is its progeny twice, as of both parents. */
export async function progenyOf(
  { db, visibleGermplasm }: BrapiScope,
  rows: readonly Pick<GermplasmRow, 'id'>[],
): Promise<Map<string, Json[]>> {
  const ids = rows.map(({ id }) => id);
  const { rows: children } = await sql<{ id: string; name: string; parent_id: string; parent_type: string }>`
    select g.id, g.name, parent.id as parent_id, parent.type as parent_type
    from germplasm as g
    cross join lateral (values (g.maternal_id, 'FEMALE'), (g.paternal_id, 'MALE')) as parent (id, type)
    where (g.maternal_id = any(${ids}::uuid[]) or g.paternal_id = any(${ids}::uuid[]))
      and parent.id = any(${ids}::uuid[]) and ${await visibleGermplasm()}
    order by g.id, parent.type
  `.execute(db);
  return grouped(children, ({ parent_id, id, name, parent_type }) => [
    parent_id,
    { germplasmDbId: id, germplasmName: name, parentType: parent_type },
  ]);
}

/** Germplasm of the same two parents, or of the same single one. */
export async function siblingsOf(
  { db, visibleGermplasm }: BrapiScope,
  rows: readonly Pick<GermplasmRow, 'id'>[],
): Promise<Map<string, Json[]>> {
  const { rows: found } = await sql<{ of: string; id: string; name: string }>`
    select one.id as of, g.id, g.name
    from germplasm as one
    join germplasm as g on g.id <> one.id
      and g.maternal_id is not distinct from one.maternal_id and g.paternal_id is not distinct from one.paternal_id
      and (g.maternal_id = one.maternal_id or g.paternal_id = one.paternal_id)
    where one.id = any(${rows.map(({ id }) => id)}::uuid[]) and ${await visibleGermplasm()}
    order by g.id
  `.execute(db);
  return grouped(found, ({ of, id, name }) => [of, { germplasmDbId: id, germplasmName: name }]);
}

function grouped<Row>(rows: readonly Row[], entryOf: (row: Row) => [key: string, entry: Json]): Map<string, Json[]> {
  const groups = new Map<string, Json[]>();
  for (const row of rows) {
    const [key, entry] = entryOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}
