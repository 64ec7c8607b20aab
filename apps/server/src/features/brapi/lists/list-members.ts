import type { ListKind } from '@heterosis/contracts/data/lists';
import { sql } from 'kysely';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import { variants } from '../entities/variants.ts';
import { germplasmOfNames } from '../germplasm-names.ts';
import { splitId } from '../ids.ts';
import { entriesOfIds } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';

/**
 * What a list names, as clients see it. A line is the id of the germplasm that its name means, or the name where the
 * caller sees none; a marker is its name, for it lies in several files.
 */
export async function shownMembers(
  scope: BrapiScope,
  { crop_id }: Pick<ProjectRow, 'crop_id'>,
  kind: ListKind,
  members: readonly string[],
): Promise<string[]> {
  if (kind === 'markers') return [...members];
  const meant = await germplasmOfNames(scope.db, crop_id, members);
  const visible = await visibleNames(
    scope,
    crop_id,
    [...meant.values()].map(({ id }) => id),
  );
  return members.map((name) => {
    const id = meant.get(name)?.id;
    return id !== undefined && visible.has(id) ? id : name;
  });
}

interface GivenMembers {
  kind: ListKind;
  given: readonly string[];
  /** Members of the list by what was shown of them: they keep their spelling. */
  before?: ReadonlyMap<string, string>;
}

/**
 * The names that a client's ids mean: germplasm of the crop, or variants of any file that the caller sees. Names stay
 * names. 404 for an id of neither.
 */
export async function namesOfMembers(
  scope: BrapiScope,
  { crop_id }: Pick<ProjectRow, 'crop_id'>,
  { kind, given, before = new Map() }: GivenMembers,
): Promise<string[]> {
  const isId = kind === 'germplasm' ? isUuid : isRowId;
  const ids = [...new Set(given.filter((text) => isId(text) && !before.has(text)))];
  const names = kind === 'germplasm' ? await visibleNames(scope, crop_id, ids) : await variantNames(scope, ids);
  return given.map((text) => {
    const known = before.get(text);
    if (known !== undefined || !isId(text)) return known ?? text;
    const name = names.get(text.toLowerCase());
    if (name === undefined) throw notFound(`The ${kind === 'germplasm' ? 'germplasm' : 'variant'} "${text}"`);
    return name;
  });
}

const isRowId = (text: string): boolean => splitId(text)?.row !== undefined;

/** Names by id of the germplasm of a crop that the caller sees. */
async function visibleNames(
  { db, visibleGermplasm }: BrapiScope,
  cropId: string | null,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (cropId === null || ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select g.id, g.name from germplasm as g
    where ${await visibleGermplasm()} and g.crop_id = ${cropId} and g.id = any(${[...ids]}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function variantNames(scope: BrapiScope, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const lowered = ids.map((id) => id.toLowerCase());
  const entries = await entriesOfIds(variants as ListEntity, scope, lowered);
  return new Map(
    entries.flatMap((entry, place): [string, string][] => {
      const [name] = (entry?.['variantNames'] ?? []) as string[];
      return name === undefined ? [] : [[lowered[place] ?? '', name]];
    }),
  );
}
