import { crossType } from '@heterosis/contracts/data/germplasm';
import { foldName, nameFault } from '@heterosis/file-formats/names/normalize-name';
import { sql } from 'kysely';
import * as z from 'zod';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { addSynonyms, insertGermplasm, lockCrop } from '../../data/germplasm/index.ts';
import { RunError } from '../../work/runs/work/index.ts';
import type { TableShape } from './packaged-tables.ts';
import { rowsOf } from './packaged-tables.ts';

const lineName = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => nameFault(text) === null);

/** A line of a package. */
export const packageLine = z.object({
  id: z.uuid(),
  /** Null: it is the line `same_as`, with which it was merged. */
  name: lineName.nullable(),
  same_as: z.uuid().nullable(),
  is_distinct: z.boolean(),
  collection: z.string().max(1000).nullable(),
  cross_type: crossType.nullable(),
  selfing_generations: z.number().int().min(0).max(1000).nullable(),
  attributes: z.record(z.string(), z.string()),
  maternal_id: z.uuid().nullable(),
  paternal_id: z.uuid().nullable(),
  synonyms: z.array(lineName),
});
export type PackageLine = z.infer<typeof packageLine>;

/** Every line that a packaged row names, and all its ancestors, the oldest row first. */
export async function* readLines(
  trx: DatabaseTransaction,
  shapes: readonly TableShape[],
  projectId: string,
): AsyncGenerator<PackageLine[]> {
  const named = shapes.flatMap(({ name, columns }) =>
    columns
      .filter(({ refersTo }) => refersTo === 'germplasm')
      .map(
        (column) => sql`select t.${sql.ref(column.name)} from ${sql.table(name)} t where ${rowsOf(name, projectId)}`,
      ),
  );
  await sql`
    declare package_lines no scroll cursor for
    with recursive wanted(id) as (
      ${sql.join(named, sql` union `)}
      union
      select other.id from wanted join germplasm g on g.id = wanted.id
      cross join lateral (values (g.maternal_id), (g.paternal_id), (g.merged_into)) as other(id)
      where other.id is not null
    )
    select g.id, case when g.merged_into is null then g.name end as name, g.merged_into as same_as, g.is_distinct,
      g.collection, g.cross_type, g.selfing_generations, g.attributes, g.maternal_id, g.paternal_id,
      array(select s.name from germplasm_synonyms s where s.germplasm_id = g.id order by s.name) as synonyms
    from germplasm g join wanted on wanted.id = g.id
    where g.deleted_at is null or g.merged_into is not null
    order by g.id
  `.execute(trx);
  for (;;) {
    const { rows } = await sql<PackageLine>`fetch 2000 from package_lines`.execute(trx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close package_lines`.execute(trx);
}

/** Lines looked up or added per statement. */
const BATCH = 2_000;

export interface PlacedLines {
  /** Id in the package → id here. */
  ids: Map<string, string>;
  added: number;
  found: number;
}

/**
 * Finds the lines of a package in the list of a crop, by name, as a synonym, or apart from case and punctuation, and
 * adds the others with their parents. What is known stays as it is.
 */
export async function placeLines(
  trx: DatabaseTransaction,
  place: { organizationId: string; cropId: string; userId: string },
  lines: readonly PackageLine[],
  newId: (id: string) => string,
): Promise<PlacedLines> {
  await lockCrop(trx, place.organizationId, place.cropId);
  const ids = new Map<string, string>();
  const missing: (PackageLine & { name: string })[] = [];
  const own = lines.filter((line): line is PackageLine & { name: string } => line.name !== null);
  for (let first = 0; first < own.length; first += BATCH) {
    const batch = own.slice(first, first + BATCH);
    const known = await findKnown(trx, place.cropId, batch);
    for (const line of batch) {
      const here = known.get(line.id);
      if (here === undefined) missing.push(line);
      ids.set(line.id, here ?? newId(line.id));
    }
  }
  for (const { id, same_as } of lines) {
    const survivor = same_as === null ? undefined : ids.get(same_as);
    if (survivor !== undefined) ids.set(id, survivor);
  }
  requireNoLoop(missing);
  const at = (id: string | null): string | null => (id === null ? null : (ids.get(id) ?? null));
  for (let first = 0; first < missing.length; first += BATCH) {
    const batch = missing.slice(first, first + BATCH);
    await insertGermplasm(
      trx,
      place,
      batch.map((line) => ({
        ...{ id: newId(line.id), name: line.name, isDistinct: line.is_distinct },
        ...{ maternalId: at(line.maternal_id), paternalId: at(line.paternal_id) },
        content: {
          ...{ collection: line.collection, crossType: line.cross_type, attributes: line.attributes },
          ...{ selfingGenerations: line.selfing_generations, maternal: null, paternal: null, synonyms: line.synonyms },
        },
      })),
    );
    const synonyms = batch.flatMap(({ id, synonyms: names }) =>
      names.map((name) => ({ germplasmId: newId(id), name })),
    );
    await addSynonyms(trx, place, await withoutTaken(trx, place.cropId, synonyms));
  }
  return { ids, added: missing.length, found: own.length - missing.length };
}

async function findKnown(
  trx: DatabaseTransaction,
  cropId: string,
  lines: readonly (PackageLine & { name: string })[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; here: string | null }>`
    select given.id, coalesce(
      (select g.id from germplasm g where g.crop_id = ${cropId} and g.deleted_at is null and g.name = given.name),
      (select s.germplasm_id from germplasm_synonyms s where s.crop_id = ${cropId} and s.name = given.name),
      case when not given.is_distinct then (
        select g.id from germplasm g where g.crop_id = ${cropId} and g.deleted_at is null
          and g.folded_name = given.folded_name and not g.is_distinct)
      end) as here
    from unnest(
      ${lines.map(({ id }) => id)}::uuid[],
      ${lines.map(({ name }) => name)}::text[],
      ${lines.map(({ name }) => foldName(name))}::text[],
      ${lines.map(({ is_distinct }) => is_distinct)}::boolean[]
    ) as given(id, name, folded_name, is_distinct)
  `.execute(trx);
  return new Map(rows.flatMap(({ id, here }): [string, string][] => (here === null ? [] : [[id, here]])));
}

/** A synonym that is the name of another line here is left out. */
async function withoutTaken<Synonym extends { name: string }>(
  trx: DatabaseTransaction,
  cropId: string,
  synonyms: readonly Synonym[],
): Promise<Synonym[]> {
  if (synonyms.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select given.name from unnest(
      ${synonyms.map(({ name }) => name)}::text[], ${synonyms.map(({ name }) => foldName(name))}::text[]
    ) as given(name, folded_name)
    where exists (select from germplasm g where g.crop_id = ${cropId} and g.deleted_at is null
      and g.folded_name = given.folded_name)
  `.execute(trx);
  const taken = new Set(rows.map(({ name }) => name));
  return synonyms.filter(({ name }) => !taken.has(name));
}

/** Nobody is an ancestor of itself (Kahn 1962). Lines that are here already have only ancestors that are here. */
function requireNoLoop(lines: readonly PackageLine[]): void {
  const waiting = new Map(lines.map(({ id }) => [id, 0]));
  const progeny = new Map<string, string[]>();
  for (const { id, maternal_id, paternal_id } of lines)
    for (const parent of [maternal_id, paternal_id]) {
      if (parent === null || !waiting.has(parent)) continue;
      waiting.set(id, (waiting.get(id) ?? 0) + 1);
      const before = progeny.get(parent);
      if (before === undefined) progeny.set(parent, [id]);
      else before.push(id);
    }
  const ready = [...waiting].flatMap(([id, parents]) => (parents === 0 ? [id] : []));
  let done = 0;
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    done++;
    for (const child of progeny.get(id) ?? []) {
      const left = (waiting.get(child) ?? 0) - 1;
      waiting.set(child, left);
      if (left === 0) ready.push(child);
    }
  }
  if (done === lines.length) return;
  throw new RunError({
    code: 'packages/pedigree-loop',
    message: 'The pedigree in the package runs in a circle. Nothing was imported.',
    action: 'Export the package again from where it came.',
  });
}
