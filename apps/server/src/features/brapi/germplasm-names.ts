import { createNameResolver } from '@heterosis/file-formats/names/name-resolver';
import { foldName, normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { survivorsOf } from '../data/germplasm/index.ts';
import type { BrapiScope } from './scope.ts';

export interface NamedGermplasm {
  id: string;
  name: string;
}

/** The germplasm of a crop that names in a file mean, by the rule for names; names that mean none are absent. */
export async function germplasmOfNames(
  db: Database,
  cropId: string | null,
  names: readonly string[],
): Promise<Map<string, NamedGermplasm>> {
  const found = new Map<string, NamedGermplasm>();
  const folds = [...new Set(names.map(foldName))].filter((fold) => fold !== '');
  if (cropId === null || folds.length === 0) return found;
  const { rows } = await sql<{
    id: string;
    name: string;
    synonym: string | null;
  }>`select id, name, null as synonym from germplasm
    where crop_id = ${cropId} and deleted_at is null and folded_name = any(${folds}::text[])
    union all
    select g.id, g.name, s.name from germplasm_synonyms as s
    join germplasm as g on g.id = s.germplasm_id and g.deleted_at is null
    where s.crop_id = ${cropId} and s.folded_name = any(${folds}::text[])
  `.execute(db);
  const byName = new Map(rows.map(({ id, name }) => [name, { id, name }]));
  const resolver = createNameResolver(
    rows.flatMap(({ name, synonym }) => (synonym === null ? [name] : [])),
    rows.flatMap(({ name, synonym }): [string, string][] => (synonym === null ? [] : [[synonym, name]])),
  );
  for (const name of new Set(names)) {
    const meant = resolver.resolve(name);
    const germplasm = meant.status === 'found' ? byName.get(meant.name) : undefined;
    if (germplasm !== undefined) found.set(name, germplasm);
  }
  return found;
}

/** The same for rows of several projects, each with its crop; returns what finds the germplasm of one of them. */
export async function germplasmOfRows<Row>(
  db: Database,
  rows: readonly Row[],
  cropAndName: (row: Row) => [cropId: string | null, name: string],
): Promise<(row: Row) => NamedGermplasm | undefined> {
  const byCrop = Map.groupBy(rows.map(cropAndName), ([cropId]) => cropId);
  const found = new Map<string | null, Map<string, NamedGermplasm>>();
  for (const [cropId, pairs] of byCrop)
    found.set(
      cropId,
      await germplasmOfNames(
        db,
        cropId,
        pairs.map(([, name]) => name),
      ),
    );
  return (row) => {
    const [cropId, name] = cropAndName(row);
    return found.get(cropId)?.get(name);
  };
}

/** Where germplasm is found: the individuals of visible files that mean it, normalized, by file or trial. */
export async function individualsOfGermplasm(
  { db, projects, visibleGermplasm }: BrapiScope,
  wanted: { ids?: readonly string[] | undefined; names?: readonly string[] | undefined },
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ id: string; file_id: string; name: string; crop_id: string }>`
    with wanted as (
      select g.id, g.crop_id, g.folded_name from germplasm as g
      where ${await visibleGermplasm()}
        ${wanted.ids === undefined ? sql`` : sql`and g.id::text = any(${wanted.ids.map(lower)}::text[])`}
        ${wanted.names === undefined ? sql`` : sql`and g.name = any(${[...wanted.names]}::text[])`}
    ), folds as (
      select id, crop_id, folded_name from wanted
      union
      select s.germplasm_id, s.crop_id, s.folded_name from germplasm_synonyms as s join wanted on wanted.id = s.germplasm_id
    )
    select folds.id, listed.file_id, listed.name, folds.crop_id
    from folds
    join file_individuals as listed on listed.folded_name = folds.folded_name
    join files on files.id = listed.file_id and files.deleted_at is null
    join projects as place on place.id = files.project_id and place.crop_id = folds.crop_id
    where place.id = any(${projects.map(({ id }) => id)}::uuid[])
  `.execute(db);
  const { rows: planted } = await sql<{ trial_id: string; name: string }>`
    select distinct p.trial_id, g.name from trial_plots as p
    join trials on trials.id = p.trial_id and trials.deleted_at is null
    join ${survivorsOf(sql`
      select of.germplasm_id from trial_plots as of join trials as one on one.id = of.trial_id
      where one.project_id = any(${projects.map(({ id }) => id)}::uuid[])
    `)} as today on today.stored_id = p.germplasm_id
    join germplasm as g on g.id = today.id
    where trials.project_id = any(${projects.map(({ id }) => id)}::uuid[]) and ${await visibleGermplasm()}
      ${wanted.ids === undefined ? sql`` : sql`and g.id::text = any(${wanted.ids.map(lower)}::text[])`}
      ${wanted.names === undefined ? sql`` : sql`and g.name = any(${[...wanted.names]}::text[])`}
  `.execute(db);
  const meant = await germplasmOfRows(db, rows, ({ crop_id, name }) => [crop_id, name]);
  const byFile = new Map<string, Set<string>>();
  for (const row of rows) {
    if (meant(row)?.id !== row.id) continue;
    const names = byFile.get(row.file_id) ?? new Set();
    byFile.set(row.file_id, names.add(normalizeName(row.name)));
  }
  for (const { trial_id: id, name } of planted) byFile.set(id, (byFile.get(id) ?? new Set()).add(normalizeName(name)));
  return byFile;
}

const lower = (text: string): string => text.toLowerCase();
