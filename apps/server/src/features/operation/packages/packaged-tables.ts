import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { listTables } from '../backup/index.ts';

/** A table whose rows a data package holds. */
interface PackagedTable {
  /** The table of which it says more, and the column that names the row there; without, it has a `project_id`. */
  of?: readonly [column: string, table: string];
  /** By which other tables name its rows, where that is not `id`. */
  key?: string;
  /** Which of the rows `t`, besides those of the project that are not in the bin. */
  only?: RawBuilder<unknown>;
}

const hasEnded = (kind: string): RawBuilder<unknown> =>
  sql`not exists (select from runs r where r.entity_kind = ${sql.lit(kind)} and r.entity_id = t.id
    and r.finished_at is null)`;

const KINDS = Object.fromEntries(
  runKinds.flatMap((kind): [string, PackagedTable][] => {
    const { path, perTrait } = RUN_KINDS[kind];
    return [
      [path, { only: hasEnded(kind) }],
      ...(perTrait ? [[`${kind}_traits`, { of: [`${kind}_id`, path] }] as [string, PackagedTable]] : []),
    ];
  }),
);

/**
 * Everything that a project holds. Lines are not here: they belong to the crop, and are matched by their names
 * (`package-lines.ts`).
 */
export const PACKAGED: Readonly<Record<string, PackagedTable>> = {
  ...KINDS,
  gwas_fine_maps: { of: ['gwas_id', 'gwas'], only: sql`t.result is not null` },
  programme_evaluations: { of: ['programme_id', 'programmes'] },
  programme_replicates: { of: ['programme_id', 'programmes'] },
  programme_plans: { of: ['programme_id', 'programmes'], key: 'programme_id' },
  programme_plan_steps: { of: ['programme_id', 'programme_plans'] },
  programme_plan_links: { of: ['programme_id', 'programme_plans'] },
  project_traits: {},
  project_germplasm: {},
  folders: {},
  files: { only: sql`t.status <> 'CHECKING' and ${hasEnded('file')}` },
  file_individuals: { of: ['file_id', 'files'] },
  file_problems: { of: ['file_id', 'files'] },
  file_versions: { of: ['file_id', 'files'] },
  collections: { of: ['file_id', 'files'], key: 'file_id' },
  collected_units: { of: ['file_id', 'collections'] },
  collected_observations: { of: ['file_id', 'collections'] },
  crossing_projects: {},
  crossing_project_files: { of: ['file_id', 'files'] },
  planned_crosses: { of: ['crossing_project_id', 'crossing_projects'] },
  made_crosses: {},
  lists: {},
  trials: {},
  trial_plots: { of: ['trial_id', 'trials'] },
  trial_events: { of: ['trial_id', 'trials'] },
  trial_observations: { of: ['trial_id', 'trials'] },
  photos: { of: ['trial_id', 'trials'], only: sql`t.deleted_at is null` },
  decisions: {},
  decision_lines: { of: ['decision_id', 'decisions'] },
  decision_marks: { of: ['decision_id', 'decisions'] },
  decision_versions: { of: ['decision_id', 'decisions'] },
  line_stages: {},
  passport_loci: {},
  comments: {},
  table_views: { only: sql`t.owner_id is null` },
  runs: {
    only: sql`t.finished_at is not null and (${sql.join(
      [...runKinds.map((kind) => [kind, RUN_KINDS[kind].path] as const), ['file', 'files'] as const].map(
        ([kind, table]) => sql`t.entity_kind = ${sql.lit(kind)} and exists (
          select from ${sql.table(table)} its where its.id = t.entity_id and its.deleted_at is null)`,
      ),
      sql` or `,
    )})`,
  },
};

/** Tables that hang on a project and are in no package, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  audit_events: 'They say who did what in the other installation.',
  brapi_imports: 'What they brought is in the package.',
  comment_mails: 'Mails to people.',
  comment_mentions: 'People.',
  germplasm_upload_rows: 'Lines that nobody has accepted yet.',
  germplasm_uploads: 'Lines that nobody has accepted yet.',
  invitations: 'People.',
  notifications: 'People.',
  package_imports: 'What they brought is in the package.',
  personal_items: 'People.',
  project_members: 'People.',
  run_mails: 'Mails to people.',
  share_links: 'Secrets of the other installation.',
  uploads: 'They are not complete.',
};

export interface PackagedColumn {
  name: string;
  type: string;
  isRequired: boolean;
  /** The table that its ids are of, where a foreign key says so. */
  refersTo: string | null;
}

export interface TableShape {
  name: string;
  columns: PackagedColumn[];
}

/** The packaged tables with their stored columns, each after those that it refers to. */
export async function readShapes(db: Queryable): Promise<TableShape[]> {
  const { rows } = await sql<PackagedColumn & { table: string }>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "isRequired",
      (select k.confrelid::regclass::text from pg_constraint k
        where k.contype = 'f' and k.conrelid = c.oid and k.conkey[1] = a.attnum limit 1) as "refersTo"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${Object.keys(PACKAGED)}::text[])
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum
  `.execute(db);
  const columns = Map.groupBy(rows, ({ table }) => table);
  return (await listTables(db)).flatMap((name) => {
    const own = columns.get(name);
    return own === undefined ? [] : [{ name, columns: own.map(({ table: _table, ...column }) => column) }];
  });
}

/** Two installations understand each other's rows when their packaged tables have the same columns. */
export const columnsOf = (shapes: readonly TableShape[]): Record<string, Record<string, string>> =>
  Object.fromEntries(
    shapes.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        columns.map((column) => [column.name, column.type]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      ),
    ]),
  );

const HAS_BIN = new Set([
  ...runKinds.map((kind): string => RUN_KINDS[kind].path),
  'files',
  'folders',
  'trials',
  'decisions',
]);

/** A query of the ids of the packaged rows of a table that others refer to. */
const idsOf = (table: string, projectId: string): RawBuilder<unknown> => {
  const key = PACKAGED[table]?.key ?? 'id';
  return sql`select t.${sql.ref(key)} from ${sql.table(table)} t where ${rowsOf(table, projectId)}`;
};

/** The condition of the rows `t` of a table that are in the package of a project. */
export function rowsOf(table: string, projectId: string): RawBuilder<unknown> {
  const { of, only } = PACKAGED[table] ?? {};
  const conditions = [
    of === undefined
      ? sql`t.project_id = ${projectId}::uuid`
      : sql`t.${sql.ref(of[0])} in (${idsOf(of[1], projectId)})`,
    ...(HAS_BIN.has(table) ? [sql`t.deleted_at is null`] : []),
    ...(only === undefined ? [] : [only]),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Tables of which a new project has no rows. */
export const rootTables: readonly string[] = Object.entries(PACKAGED).flatMap(([name, { of }]) =>
  of === undefined ? [name] : [],
);
