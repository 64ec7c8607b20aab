import type { FileFormat } from '@heterosis/contracts/data/file-formats';
import type { FileStatus, FileType } from '@heterosis/contracts/data/files';
import type { FileProblem, ProblemReport } from '@heterosis/file-formats/problem';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { preparedRows } from '../../../platform/database/prepared-query.ts';
import type { CursorKey } from '../../../platform/http/pagination.ts';
import { containing } from '../../people/projects/index.ts';
import type { FileMeta } from './file-meta.ts';

export interface FileRow {
  id: string;
  project_id: string;
  folder_id: string | null;
  name: string;
  description: string | null;
  file_type: FileType | null;
  status: FileStatus;
  format: FileFormat | null;
  content_type: string;
  size_bytes: number;
  sha256: string | null;
  storage_key: string;
  row_count: number | null;
  column_count: number | null;
  meta: FileMeta;
  problem_totals: ProblemReport['totals'];
  created_by: string | null;
  /** Display name, or the e-mail of a person without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
}

const COLUMNS = [
  'files.id',
  'files.project_id',
  'files.folder_id',
  'files.name',
  'files.description',
  'files.file_type',
  'files.status',
  'files.format',
  'files.content_type',
  'files.size_bytes',
  'files.sha256',
  'files.storage_key',
  'files.row_count',
  'files.column_count',
  'files.meta',
  'files.problem_totals',
  'files.created_by',
  'files.created_at',
  'files.updated_at',
] as const;

const selectFiles = (db: Queryable, projectId: string) =>
  db
    .selectFrom('files')
    .leftJoin('users', 'users.id', 'files.created_by')
    .where('files.project_id', '=', projectId)
    .where('files.deleted_at', 'is', null)
    .select(COLUMNS)
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'));

export interface FileFilter {
  /** Undefined: all files of the project; null: the root. */
  folderId?: string | null | undefined;
  types?: readonly FileType[] | undefined;
  search?: string | undefined;
  limit: number;
  /** Name and id of the last file of the previous page. */
  after?: CursorKey | undefined;
}

/** By name. */
export async function listFiles(db: Queryable, projectId: string, filter: FileFilter): Promise<FileRow[]> {
  const { folderId, types, search, limit, after } = filter;
  return (await selectFiles(db, projectId)
    .$if(folderId === null, (query) => query.where('files.folder_id', 'is', null))
    .$if(typeof folderId === 'string', (query) => query.where('files.folder_id', '=', folderId ?? null))
    .$if(types !== undefined, (query) => query.where('files.file_type', '=', sql<FileType>`any(${types}::text[])`))
    .$if(search !== undefined && search !== '', (query) => query.where('files.name', 'ilike', containing(search ?? '')))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(lower(files.name), files.id) > (lower(${after?.[0]}), ${after?.[1]}::uuid)`),
    )
    .orderBy(sql`lower(files.name)`)
    .orderBy('files.id')
    .limit(limit + 1)
    .execute()) as FileRow[];
}

/**
 * Files of several projects that were checked and can be used, the oldest first; without the versions of one that is
 * still there, and without a creator.
 */
export const selectReadyFiles = (db: Queryable, projectIds: string) =>
  db
    .selectFrom('files')
    .where(sql<boolean>`files.project_id = any(${projectIds}::uuid[])`)
    .where('files.deleted_at', 'is', null)
    .where(sql<boolean>`files.status in ('READY', 'READY_WITH_WARNINGS')`)
    .where(
      sql<boolean>`not exists (
        select from file_versions as v join files as first on first.id = v.version_of and first.deleted_at is null
        where v.file_id = files.id
      )`,
    )
    .select(COLUMNS)
    .select(sql<string | null>`null`.as('creator'))
    .orderBy('files.id');

export const listReadyFiles: (db: Queryable, projectIds: readonly string[]) => Promise<FileRow[]> = preparedRows(
  (db, projectIds) => selectReadyFiles(db, projectIds).$castTo<FileRow>(),
  ['projects'],
);

export async function findFile(db: Queryable, projectId: string, id: string): Promise<FileRow | undefined> {
  return (await selectFiles(db, projectId).where('files.id', '=', id).executeTakeFirst()) as FileRow | undefined;
}

/** The newest file of a type that a run could use. */
export async function findNewestFile(
  db: Queryable,
  projectId: string,
  fileType: FileType,
): Promise<FileRow | undefined> {
  return (await selectFiles(db, projectId)
    .where('files.file_type', '=', fileType)
    .where('files.status', 'in', ['READY', 'READY_WITH_WARNINGS'])
    .orderBy('files.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()) as FileRow | undefined;
}

/** Genotype files with phased calls that a run can use, the newest first. */
export async function listPhasedGenotypes(db: Queryable, projectId: string, limit: number): Promise<FileRow[]> {
  return (await selectFiles(db, projectId)
    .where('files.file_type', '=', 'GENOTYPE')
    .where('files.status', 'in', ['READY', 'READY_WITH_WARNINGS'])
    .where(sql<boolean>`files.meta -> 'panel' ->> 'phased' = 'true'`)
    .where(sql<boolean>`files.meta -> 'panel' -> 'ploidies' is null`)
    .orderBy('files.created_at', 'desc')
    .limit(limit)
    .execute()) as FileRow[];
}

/** A name of a file, and the file to which it may belong already. */
export interface WantedName {
  projectId: string;
  folderId: string | null;
  name: string;
  but: string | null;
}

/** Whether the name is taken according to the unique index `files_name`. */
export async function isFileNameTaken(db: Queryable, { projectId, folderId, name, but }: WantedName): Promise<boolean> {
  const row = await db
    .selectFrom('files')
    .select('id')
    .where('project_id', '=', projectId)
    .where('folder_id', folderId === null ? 'is' : '=', folderId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deleted_at', 'is', null)
    .$if(but !== null, (query) => query.where('id', '<>', but ?? ''))
    .executeTakeFirst();
  return row !== undefined;
}

/** A file with its tenant. */
export type FileOfJob = FileRow & { organization_id: string };

/** For jobs, which know only the id; undefined when it is in the bin or deleted. */
export async function findFileOfJob(db: Queryable, projectId: string, id: string): Promise<FileOfJob | undefined> {
  return (await selectFiles(db, projectId)
    .innerJoin('projects', 'projects.id', 'files.project_id')
    .where('projects.deleted_at', 'is', null)
    .select('projects.organization_id')
    .where('files.id', '=', id)
    .executeTakeFirst()) as FileOfJob | undefined;
}

export interface NewFile {
  id: string;
  projectId: string;
  folderId: string | null;
  name: string;
  fileType: FileType | null;
  status: FileStatus;
  contentType: string;
  sizeBytes: number;
  storageKey: string;
  createdBy: string | null;
  meta: FileMeta;
  description: string | null;
}

export async function insertFile(db: Queryable, file: NewFile): Promise<void> {
  await db
    .insertInto('files')
    .values({
      id: file.id,
      project_id: file.projectId,
      folder_id: file.folderId,
      name: file.name,
      file_type: file.fileType,
      status: file.status,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      storage_key: file.storageKey,
      created_by: file.createdBy,
      meta: file.meta,
      description: file.description,
    })
    .execute();
}

/** Stores the result of a check; the only place where the status of a file changes. */
export interface FileCheckResult {
  status: FileStatus;
  sha256?: string | undefined;
  format?: FileFormat | null | undefined;
  rowCount?: number | null | undefined;
  columnCount?: number | null | undefined;
  meta?: FileMeta | undefined;
  report?: ProblemReport | undefined;
  fileType?: FileType | undefined;
}

export async function updateFileStatus(
  db: Queryable,
  projectId: string,
  id: string,
  { status, sha256, format, rowCount, columnCount, meta, report, fileType }: FileCheckResult,
): Promise<void> {
  await db
    .updateTable('files')
    .set({
      status,
      updated_at: sql<string>`now()`,
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(format === undefined ? {} : { format }),
      ...(rowCount === undefined ? {} : { row_count: rowCount }),
      ...(columnCount === undefined ? {} : { column_count: columnCount }),
      ...(meta === undefined ? {} : { meta }),
      ...(report === undefined ? {} : { problem_totals: report.totals }),
      ...(fileType === undefined ? {} : { file_type: fileType }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
  if (report !== undefined) await replaceProblems(db, id, report.problems);
}

const PROBLEMS_PER_INSERT = 500;

async function replaceProblems(db: Queryable, fileId: string, problems: readonly FileProblem[]): Promise<void> {
  await db.deleteFrom('file_problems').where('file_id', '=', fileId).execute();
  for (let first = 0; first < problems.length; first += PROBLEMS_PER_INSERT)
    await db
      .insertInto('file_problems')
      .values(
        problems.slice(first, first + PROBLEMS_PER_INSERT).map((problem, index) => ({
          file_id: fileId,
          position: first + index,
          severity: problem.severity,
          code: problem.code,
          line: problem.line,
          column: withoutNul(problem.column),
          value: withoutNul(problem.value),
          message: withoutNul(problem.message) ?? '',
          suggestion: withoutNul(problem.suggestion),
        })),
      )
      .execute();
}

/** PostgreSQL text cannot contain NUL, which damaged files often do. */
const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '␀') ?? null;

export interface ProblemFilter {
  severity?: 'error' | 'warning' | 'info' | undefined;
  code?: string | undefined;
  limit?: number;
  /** Position of the last problem of the previous page. */
  after?: number | undefined;
}

export interface ProblemRow extends FileProblem {
  position: number;
}

export async function listProblems(
  db: Queryable,
  projectId: string,
  fileId: string,
  { severity, code, limit, after }: ProblemFilter,
): Promise<ProblemRow[]> {
  return await db
    .selectFrom('file_problems')
    .innerJoin('files', 'files.id', 'file_problems.file_id')
    .where('files.project_id', '=', projectId)
    .where('file_problems.file_id', '=', fileId)
    .select([
      'file_problems.position',
      'file_problems.severity',
      'file_problems.code',
      'file_problems.line',
      'file_problems.column',
      'file_problems.value',
      'file_problems.message',
      'file_problems.suggestion',
    ])
    .$if(severity !== undefined, (query) => query.where('file_problems.severity', '=', severity ?? 'error'))
    .$if(code !== undefined, (query) => query.where('file_problems.code', '=', code ?? ''))
    .$if(after !== undefined, (query) => query.where('file_problems.position', '>', after ?? 0))
    .orderBy('file_problems.position')
    .$if(limit !== undefined, (query) => query.limit((limit ?? 0) + 1))
    .execute();
}
