import type { Reference } from '@heterosis/contracts/common';
import type { FileType } from '@heterosis/contracts/data/files';
import type { GermplasmOccurrence } from '@heterosis/contracts/data/germplasm';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { createNameResolver } from '@heterosis/file-formats/names/name-resolver';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { type RunKindDefinition, rolesOf } from '../../work/runs/kind/index.ts';
import { readCatalogueOf } from './catalogue.queries.ts';

/** The table of each kind of run and its columns that name an input file, or several. */
export type RunTables = readonly {
  kind: RunKind;
  table: string;
  fileColumns: readonly { column: string; isSeveral: boolean }[];
}[];

export const runTables = (kinds: readonly Pick<RunKindDefinition, 'kind' | 'inputs'>[]): RunTables =>
  kinds.map(({ kind, inputs }) => ({
    kind,
    table: RUN_KINDS[kind].path,
    fileColumns: rolesOf(inputs).filter(({ isFile }) => isFile),
  }));

/** Files and runs listed at the most. */
const MOST = 200;

/** A germplasm, and who looks where for it. */
export interface Sought {
  organizationId: string;
  cropId: string;
  name: string;
  synonyms: readonly string[];
  userId: string;
  seesAllProjects: boolean;
  onlyProject: string | undefined;
}

export interface FileNaming {
  id: string;
  name: string;
  kind: FileType;
  project: Reference;
  /** The names in the file that mean the germplasm. */
  written: string[];
}

/** The newest files that have the germplasm under its name or a synonym, in the projects that the caller can open. */
export async function listFilesNaming(
  db: Queryable,
  { organizationId, cropId, name, synonyms, userId, seesAllProjects, onlyProject }: Sought,
): Promise<FileNaming[]> {
  const names = [name, ...synonyms];
  const folds = [...new Set(names.map(foldName))].filter((fold) => fold !== '');
  const { rows } = await sql<FileNaming>`
    select files.id, files.name, files.file_type as kind, array_agg(listed.name order by listed.name) as written,
      jsonb_build_object('id', place.id, 'name', place.name) as project
    from file_individuals as listed
    join files on files.id = listed.file_id and files.deleted_at is null
    join projects as place on place.id = files.project_id and place.deleted_at is null
    where listed.folded_name = any(${folds}::text[])
      and place.organization_id = ${organizationId} and place.crop_id = ${cropId}
      ${onlyProject === undefined ? sql`` : sql`and place.id = ${onlyProject}`}
      ${
        seesAllProjects
          ? sql``
          : sql`and exists (
        select from project_members as member where member.project_id = place.id and member.user_id = ${userId}
      )`
      }
    group by files.id, place.id
    order by files.id desc limit ${MOST}
  `.execute(db);
  // The same folded form may belong to another line, or to several.
  const catalogue = await readCatalogueOf(db, cropId, names);
  const { resolve } = createNameResolver(catalogue.names, catalogue.synonyms);
  const isMeant = (written: string): boolean => {
    const resolution = resolve(written);
    return resolution.status === 'found' && resolution.name === name;
  };
  return rows
    .map((file) => ({ ...file, written: file.written.filter(isMeant) }))
    .filter(({ written }) => written.length > 0);
}

export type RunOnFiles = GermplasmOccurrence & { kind: RunKind; files: string[] };

/** The newest runs on some files; `files` are those of them that a run uses. */
export async function listRunsOn(db: Queryable, runs: RunTables, fileIds: readonly string[]): Promise<RunOnFiles[]> {
  if (fileIds.length === 0 || runs.length === 0) return [];
  const parts = runs.map(({ kind, table, fileColumns }) => {
    const arrays = fileColumns.map(({ column, isSeveral }) =>
      isSeveral ? sql.ref(`run.${column}`) : sql`array[${sql.ref(`run.${column}`)}]`,
    );
    return sql`
      select run.id, run.name, ${kind}::text as kind, null as written, used.files,
        jsonb_build_object('id', place.id, 'name', place.name) as project
      from ${sql.table(table)} as run join projects as place on place.id = run.project_id
      cross join lateral (
        select array_agg(given.id) as files from unnest(${sql.join(arrays, sql` || `)}) as given(id)
        where given.id = any(${fileIds}::uuid[])
      ) as used
      where run.deleted_at is null and (${sql.join(
        arrays.map((given) => sql`${given} && ${fileIds}::uuid[]`),
        sql` or `,
      )})`;
  });
  const { rows } = await sql<RunOnFiles>`
    select * from (${sql.join(parts, sql` union all `)}) as run order by id desc limit ${MOST}
  `.execute(db);
  return rows;
}
