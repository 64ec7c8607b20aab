import type { GermplasmUploadRow, UploadCounts, UploadRowAction } from '@heterosis/contracts/data/germplasm-uploads';
import type { TableMapping } from '@heterosis/contracts/data/table-mapping';
import type { FileProblem, ProblemReport } from '@heterosis/file-formats/problem';
import type {
  ExistingRule,
  GermplasmChange,
  GermplasmColumns,
  GermplasmRow,
  SettledRow,
} from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import type { FirstRows } from '@heterosis/file-formats/tables/text/first-rows';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

export interface UploadRow {
  id: string;
  organization_id: string;
  crop_id: string;
  crop_name: string;
  project_id: string | null;
  file_name: string;
  status: 'CHECKING' | 'REVIEW' | 'ACCEPTING' | 'ACCEPTED' | 'FAILED';
  storage_key: string | null;
  size_bytes: number;
  is_read: boolean;
  mapping: TableMapping | null;
  is_mapping_kept: boolean;
  has_first_rows: boolean;
  existing: ExistingRule;
  generate_unknown_parent: boolean;
  accept_at_once: boolean;
  columns: GermplasmColumns;
  attributes: string[];
  counts: Partial<UploadCounts>;
  problem_totals: ProblemReport['totals'];
  problems: FileProblem[];
  created_by: string;
  created_at: string;
  updated_at: string;
}

const selectUploads = (db: Queryable) =>
  db
    .selectFrom('germplasm_uploads as upload')
    .innerJoin('crops', 'crops.id', 'upload.crop_id')
    .select([
      ...COLUMNS,
      'crops.name as crop_name',
      sql<boolean>`upload.first_rows is not null and upload.storage_key is not null`.as('has_first_rows'),
    ]);

const COLUMNS = [
  ...(['upload.id', 'upload.organization_id', 'upload.crop_id', 'upload.project_id', 'upload.file_name'] as const),
  ...([
    'upload.status',
    'upload.storage_key',
    'upload.size_bytes',
    'upload.is_read',
    'upload.mapping',
    'upload.is_mapping_kept',
  ] as const),
  ...(['upload.existing', 'upload.generate_unknown_parent', 'upload.accept_at_once', 'upload.columns'] as const),
  ...(['upload.attributes', 'upload.counts', 'upload.problem_totals', 'upload.problems'] as const),
  ...(['upload.created_by', 'upload.created_at', 'upload.updated_at'] as const),
] as const;

/** An upload of an organization; its crop is in every query of the rows of germplasm. */
export type UploadKey = Pick<UploadRow, 'organization_id' | 'id'>;

/** The start of the file of an upload, while its bytes are there to be read again. */
export async function findFirstRows(db: Queryable, id: string): Promise<FirstRows | null> {
  const row = await db
    .selectFrom('germplasm_uploads')
    .select('first_rows')
    .where('id', '=', id)
    .where('storage_key', 'is not', null)
    .executeTakeFirst();
  return (row?.first_rows ?? null) as FirstRows | null;
}

/** An upload of this person in this place. */
export async function findUpload(
  db: Queryable,
  { organizationId, projectId, userId }: { organizationId: string; projectId: string | null; userId: string },
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<UploadRow | undefined> {
  return (await selectUploads(db)
    .where('upload.organization_id', '=', organizationId)
    .where('upload.project_id', projectId === null ? 'is' : '=', projectId)
    .where('upload.created_by', '=', userId)
    .where('upload.id', '=', id)
    .$if(lock, (query) => query.forUpdate('upload'))
    .executeTakeFirst()) as UploadRow | undefined;
}

/** For the job, which knows no person. */
export async function findUploadOfJob(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<UploadRow | undefined> {
  return (await selectUploads(db)
    .where('upload.organization_id', '=', organizationId)
    .where('upload.id', '=', id)
    .executeTakeFirst()) as UploadRow | undefined;
}

/** Until the end of the transaction; false when it was cancelled. */
export async function lockUpload(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('germplasm_uploads')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the organization has this crop. */
export async function hasCrop(db: Queryable, organizationId: string, cropId: string): Promise<boolean> {
  const crop = await db
    .selectFrom('crops')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', cropId)
    .executeTakeFirst();
  return crop !== undefined;
}

export type NewUpload = Pick<
  UploadRow,
  | 'id'
  | 'organization_id'
  | 'crop_id'
  | 'project_id'
  | 'file_name'
  | 'storage_key'
  | 'size_bytes'
  | 'existing'
  | 'generate_unknown_parent'
  | 'accept_at_once'
  | 'created_by'
>;

export async function insertUpload(db: Queryable, upload: NewUpload): Promise<void> {
  await db.insertInto('germplasm_uploads').values(upload).execute();
}

export type UploadChange = Partial<
  Pick<
    UploadRow,
    | 'status'
    | 'storage_key'
    | 'is_read'
    | 'mapping'
    | 'is_mapping_kept'
    | 'existing'
    | 'generate_unknown_parent'
    | 'columns'
    | 'attributes'
    | 'counts'
    | 'problem_totals'
    | 'problems'
  > & { first_rows: FirstRows | null }
>;

export async function updateUpload(
  db: Queryable,
  { organization_id, id }: UploadKey,
  change: UploadChange,
): Promise<void> {
  const { columns, attributes, counts, problem_totals, problems, mapping, first_rows, ...plain } = change;
  const objects = { columns, attributes, counts, problem_totals, problems, mapping, first_rows };
  await db
    .updateTable('germplasm_uploads')
    .set({
      ...plain,
      ...Object.fromEntries(
        Object.entries(objects).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value === null ? null : JSON.stringify(value)]],
        ),
      ),
      updated_at: sql<string>`now()`,
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteUpload(db: Queryable, { organization_id, id }: UploadKey): Promise<void> {
  await db
    .deleteFrom('germplasm_uploads')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/**
 * Uploads of all tenants that nobody has accepted for a week, and the runs of those that are gone, which had that time
 * to send their mails; returns what the uploads have in the storage. No foreign key leads from `runs` to the entity.
 */
export async function deleteOldUploads(db: Queryable): Promise<string[]> {
  const long = sql<string>`now() - interval '7 days'`;
  const rows = await db
    .deleteFrom('germplasm_uploads')
    .where('created_at', '<', long)
    .returning('storage_key')
    .execute();
  await db
    .deleteFrom('runs')
    .where('entity_kind', '=', 'germplasm_upload')
    .where((run) => run.or([run('finished_at', 'is', null), run('finished_at', '<', long)]))
    .where((run) =>
      run.not(
        run.exists(
          run.selectFrom('germplasm_uploads as one').select('one.id').whereRef('one.id', '=', 'runs.entity_id'),
        ),
      ),
    )
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}

/** What became of a row. */
export type JudgedRow = Omit<SettledRow, 'content'>;

export async function insertRows(
  db: Queryable,
  uploadId: string,
  rows: readonly (JudgedRow & { row: GermplasmRow | null })[],
): Promise<void> {
  await sql`
    insert into germplasm_upload_rows (upload_id, line, content, action, target, changes, severity)
    select ${uploadId}::uuid, given.* from unnest(
      ${rows.map(({ line }) => line)}::int[],
      ${rows.map(({ row }) => JSON.stringify(row === null ? {} : contentOf(row)))}::jsonb[],
      ${rows.map(({ action }) => action)}::text[],
      ${rows.map(({ target }) => target)}::text[],
      ${rows.map(({ changes }) => JSON.stringify(changes))}::jsonb[],
      ${rows.map(({ severity }) => severity)}::text[]
    ) as given
  `.execute(db);
}

/** Stores what became of rows that are there already; the others are left alone. */
export async function updateSettled(db: Queryable, uploadId: string, rows: readonly JudgedRow[]): Promise<void> {
  await sql`
    update germplasm_upload_rows as stored
    set action = given.action, target = given.target, changes = given.changes, severity = given.severity
    from unnest(
      ${rows.map(({ line }) => line)}::int[],
      ${rows.map(({ action }) => action)}::text[],
      ${rows.map(({ target }) => target)}::text[],
      ${rows.map(({ changes }) => JSON.stringify(changes))}::jsonb[],
      ${rows.map(({ severity }) => severity)}::text[]
    ) as given(line, action, target, changes, severity)
    where stored.upload_id = ${uploadId} and stored.line = given.line
      and (stored.action, stored.target, stored.changes, stored.severity)
        is distinct from (given.action, given.target, given.changes, given.severity)
  `.execute(db);
}

/** The content of a row without its line, which is a column. */
const contentOf = ({ line: _line, ...content }: GermplasmRow): Omit<GermplasmRow, 'line'> => content;

/** Rows fetched at a time: the driver holds them twice. */
const ROWS_PAGE = 2_000;

/** All rows as read or mended. */
export async function* readUploadRows(db: Queryable, uploadId: string): AsyncGenerator<GermplasmRow> {
  let after = -1;
  for (;;) {
    const rows = await db
      .selectFrom('germplasm_upload_rows')
      .select(['line', 'content'])
      .where('upload_id', '=', uploadId)
      .where('line', '>', after)
      .orderBy('line')
      .limit(ROWS_PAGE)
      .execute();
    for (const { line, content } of rows) yield { ...(content as Omit<GermplasmRow, 'line'>), line };
    if (rows.length < ROWS_PAGE) return;
    after = rows.at(-1)?.line ?? after;
  }
}

export type RowsShown = 'all' | 'error' | 'warning' | 'create' | 'change' | 'same' | 'conflict';

export async function listUploadRows(
  db: Queryable,
  uploadId: string,
  { show, limit, after }: { show: RowsShown; limit: number; after: number | undefined },
): Promise<GermplasmUploadRow[]> {
  const rows = await db
    .selectFrom('germplasm_upload_rows')
    .select(['line', 'content', 'is_edited', 'action', 'target', 'changes', 'severity'])
    .where('upload_id', '=', uploadId)
    .$if(show === 'error' || show === 'warning', (query) => query.where('severity', '=', show as 'error' | 'warning'))
    .$if(show === 'create' || show === 'change' || show === 'same', (query) =>
      query.where('action', '=', show as UploadRowAction),
    )
    .$if(show === 'conflict', (query) => query.where(sql<boolean>`changes @? '$[*] ? (@.from != null)'`))
    .$if(after !== undefined, (query) => query.where('line', '>', after ?? 0))
    .orderBy('line')
    .limit(limit + 1)
    .execute();
  return rows.map(({ content, changes, ...row }) => {
    const { crossType, selfingGenerations, isDistinct, crop: _crop, ...own } = content as Omit<GermplasmRow, 'line'>;
    return {
      ...row,
      ...own,
      cross_type: crossType,
      selfing_generations: selfingGenerations,
      is_distinct: isDistinct,
      changes: changes as GermplasmChange[],
    };
  });
}

/** Replaces fields of rows; `merge` holds the new values by the names of a stored row. */
export async function editRows(
  db: Queryable,
  uploadId: string,
  rows: readonly { line: number; merge: Partial<Omit<GermplasmRow, 'line'>> }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update germplasm_upload_rows as stored
    set content = stored.content || given.merge, is_edited = true
    from unnest(
      ${rows.map(({ line }) => line)}::int[], ${rows.map(({ merge }) => JSON.stringify(merge))}::jsonb[]
    ) as given(line, merge)
    where stored.upload_id = ${uploadId} and stored.line = given.line
  `.execute(db);
}

export async function deleteRows(db: Queryable, uploadId: string, lines: readonly number[]): Promise<void> {
  await db
    .deleteFrom('germplasm_upload_rows')
    .where('upload_id', '=', uploadId)
    .$if(lines.length > 0, (query) => query.where('line', '=', sql<number>`any(${lines}::int[])`))
    .execute();
}
