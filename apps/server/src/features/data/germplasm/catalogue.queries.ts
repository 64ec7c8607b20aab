import { foldName } from '@heterosis/file-formats/names/normalize-name';
import type { CatalogueEntry } from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

export interface StoredEntry extends CatalogueEntry {
  id: string;
}

/** Rows fetched at a time: the driver holds them twice. */
const PAGE = 2_000;

/** All germplasm of a crop, parents by name. */
export async function* readCatalogue(db: Queryable, cropId: string): AsyncGenerator<StoredEntry> {
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: StoredEntry[] } = await sql<StoredEntry>`
      select g.id, g.name, g.collection, mother.name as maternal, father.name as paternal,
        g.cross_type as "crossType", g.selfing_generations as "selfingGenerations", g.attributes,
        array(select s.name from germplasm_synonyms as s where s.germplasm_id = g.id order by s.name) as synonyms
      from germplasm as g
      left join germplasm as mother on mother.id = g.maternal_id
      left join germplasm as father on father.id = g.paternal_id
      where g.crop_id = ${cropId} and g.deleted_at is null
        and (${after}::uuid is null or g.id > ${after}::uuid)
      order by g.id limit ${PAGE}
    `.execute(db);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/**
 * The part of a crop's catalogue that bears on some names: every germplasm and synonym with the folded form of one of
 * them. A resolver of it gives the same answer for these names as one of the whole catalogue.
 */
export async function readCatalogueOf(
  db: Queryable,
  cropId: string,
  names: readonly string[],
): Promise<{ names: string[]; synonyms: [synonym: string, name: string][] }> {
  const folds = [...new Set(names.map(foldName))].filter((fold) => fold !== '');
  const { rows } = await sql<{ name: string; synonym: string | null }>`
    select name, null as synonym from germplasm
    where crop_id = ${cropId} and deleted_at is null and folded_name = any(${folds}::text[])
    union all
    select g.name, s.name from germplasm_synonyms as s join germplasm as g on g.id = s.germplasm_id
    where s.crop_id = ${cropId} and s.folded_name = any(${folds}::text[])
  `.execute(db);
  return {
    names: rows.flatMap(({ name, synonym }) => (synonym === null ? [name] : [])),
    synonyms: rows.flatMap(({ name, synonym }): [string, string][] => (synonym === null ? [] : [[synonym, name]])),
  };
}

/** Null for a project without a crop. */
export async function findCropOfProject(db: Queryable, projectId: string): Promise<string | null> {
  const project = await db.selectFrom('projects').select('crop_id').where('id', '=', projectId).executeTakeFirst();
  return project?.crop_id ?? null;
}

/** The same for the crop of a project; nothing when it has none. */
export async function readCatalogueOfProject(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): ReturnType<typeof readCatalogueOf> {
  const cropId = await findCropOfProject(db, projectId);
  return cropId === null ? { names: [], synonyms: [] } : await readCatalogueOf(db, cropId, names);
}
