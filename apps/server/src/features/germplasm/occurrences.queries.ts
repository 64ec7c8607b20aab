import type { GermplasmOccurrence } from '@heterosis/contracts/germplasm';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/run-kinds';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import { type RunKindDefinition, rolesOf } from '../runs/index.ts';

/** The table of each kind of run and its columns that name an input file. */
export type RunTables = readonly { kind: RunKind; table: string; fileColumns: readonly string[] }[];

export const runTables = (kinds: readonly Pick<RunKindDefinition, 'kind' | 'inputs'>[]): RunTables =>
  kinds.map(({ kind, inputs }) => ({
    kind,
    table: RUN_KINDS[kind].path,
    fileColumns: rolesOf(inputs).flatMap(({ role, isFile }) => (isFile ? [`${role}_id`] : [])),
  }));

/** Files and runs listed at the most. */
const MOST = 200;

/**
 * Where a germplasm is found: files with an individual of its name or a synonym, and the runs on these files; in the
 * projects that the caller can open.
 */
export async function listOccurrences(
  db: Queryable,
  options: {
    organizationId: string;
    cropId: string;
    names: readonly string[];
    userId: string;
    seesAllProjects: boolean;
    onlyProject: string | undefined;
    runs: RunTables;
  },
): Promise<GermplasmOccurrence[]> {
  const folds = [...new Set(options.names.map(foldName))].filter((fold) => fold !== '');
  const { rows: files } = await sql<GermplasmOccurrence>`
    select files.id, files.name, files.file_type as kind, min(listed.name) as written,
      jsonb_build_object('id', place.id, 'name', place.name) as project
    from file_individuals as listed
    join files on files.id = listed.file_id and files.deleted_at is null
    join projects as place on place.id = files.project_id and place.deleted_at is null
    where listed.folded_name = any(${folds}::text[])
      and place.organization_id = ${options.organizationId} and place.crop_id = ${options.cropId}
      ${options.onlyProject === undefined ? sql`` : sql`and place.id = ${options.onlyProject}`}
      ${
        options.seesAllProjects
          ? sql``
          : sql`and exists (
        select from project_members as member where member.project_id = place.id and member.user_id = ${options.userId}
      )`
      }
    group by files.id, place.id
    order by files.id desc limit ${MOST}
  `.execute(db);
  const ids = files.map(({ id }) => id);
  if (ids.length === 0) return [];
  const parts = options.runs.map(
    ({ kind, table, fileColumns }) => sql`
      select run.id, run.name, ${kind}::text as kind, null as written,
        jsonb_build_object('id', place.id, 'name', place.name) as project
      from ${sql.table(table)} as run join projects as place on place.id = run.project_id
      where run.deleted_at is null and (${sql.join(
        fileColumns.map((column) => sql`${sql.ref(`run.${column}`)} = any(${ids}::uuid[])`),
        sql` or `,
      )})`,
  );
  const { rows: runs } = await sql<GermplasmOccurrence>`
    select * from (${sql.join(parts, sql` union all `)}) as run order by id desc limit ${MOST}
  `.execute(db);
  return [...files, ...runs];
}
