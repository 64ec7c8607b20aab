import type { FileType } from '@heterosis/contracts/data/files';
import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';

/** Bytes that have not become a file yet. Every query is keyed by project and person, because uploads are private. */
export interface UploadRow {
  id: string;
  name: string | null;
  folder_id: string | null;
  file_type: FileType | null;
  fingerprint: string | null;
  /** The invalid file that this one replaces. */
  replaces: string | null;
  content_type: string;
  storage_key: string;
  size_bytes: number | null;
  /** Null: no part was requested; the bytes come in one piece. */
  part_bytes: number | null;
  created_at: string;
  expires_at: string;
}

export interface NewUpload {
  id: string;
  projectId: string;
  name: string | null;
  folderId: string | null;
  fileType: FileType | null;
  fingerprint: string | null;
  replaces: string | null;
  contentType: string;
  storageKey: string;
  sizeBytes: number | null;
  createdBy: string;
  expiresAt: Date;
}

export async function insertUpload(db: Queryable, upload: NewUpload): Promise<void> {
  await db
    .insertInto('uploads')
    .values({
      id: upload.id,
      project_id: upload.projectId,
      name: upload.name,
      folder_id: upload.folderId,
      file_type: upload.fileType,
      fingerprint: upload.fingerprint,
      replaces: upload.replaces,
      content_type: upload.contentType,
      storage_key: upload.storageKey,
      size_bytes: upload.sizeBytes,
      created_by: upload.createdBy,
      expires_at: upload.expiresAt,
    })
    .execute();
}

const selectUploads = (db: Queryable, projectId: string, userId: string) =>
  db
    .selectFrom('uploads')
    .where('project_id', '=', projectId)
    .where('created_by', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .select([
      'id',
      'name',
      'folder_id',
      'file_type',
      'fingerprint',
      'replaces',
      'content_type',
      'storage_key',
      'size_bytes',
      'part_bytes',
      'created_at',
      'expires_at',
    ]);

/** Uploads in parts, newest first. */
export async function listUploadsInParts(
  db: Queryable,
  projectId: string,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<UploadRow[]> {
  return await selectUploads(db, projectId, userId)
    .where('part_bytes', 'is not', null)
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findUpload(
  db: Queryable,
  projectId: string,
  userId: string,
  id: string,
): Promise<UploadRow | undefined> {
  return await selectUploads(db, projectId, userId).where('id', '=', id).executeTakeFirst();
}

/** Locks the upload, so that it becomes only one file. */
export async function findUploadForUpdate(
  db: Queryable,
  projectId: string,
  userId: string,
  id: string,
): Promise<UploadRow | undefined> {
  return await selectUploads(db, projectId, userId).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function updateUploadPartBytes(
  db: Queryable,
  projectId: string,
  id: string,
  partBytes: number,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ part_bytes: partBytes })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

export async function deleteUpload(db: Queryable, projectId: string, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('project_id', '=', projectId).where('id', '=', id).execute();
}

/** Unfinished uploads of all tenants, for the daily sweep. */
export async function deleteExpiredUploads(
  db: Queryable,
): Promise<{ id: string; project_id: string; storage_key: string }[]> {
  return await db
    .deleteFrom('uploads')
    .where('expires_at', '<', sql<string>`now()`)
    .returning(['id', 'project_id', 'storage_key'])
    .execute();
}
