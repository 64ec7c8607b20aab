import type { Page } from '@heterosis/contracts/common';
import {
  UPLOAD_PART_BYTES,
  type Upload,
  type UploadDetail,
  type uploadPartLinks,
} from '@heterosis/contracts/data/file-uploads';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { uuidv7 } from 'uuidv7';
import type * as z from 'zod';
import type { Queryable } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import { requireStorage } from '../../../people/organizations/index.ts';
import { originalKey, partKey, uploadKey } from '../file-keys.ts';
import { findFile, isFileNameTaken, type WantedName } from '../files.queries.ts';
import { requireFolder } from '../folders/folders.service.ts';
import { requireReplaceable } from './replaced-file.ts';
import {
  type ArrivedPart,
  assembleParts,
  bytesOf,
  countParts,
  deleteParts,
  listArrivedParts,
  type PartedUpload,
  partSize,
} from './upload-parts.ts';
import {
  deleteUpload,
  findUpload,
  findUploadForUpdate,
  insertUpload,
  listUploadsInParts,
  type UploadRow,
  updateUploadPartBytes,
} from './uploads.queries.ts';

/** Unfinished uploads are swept after this long; one that broke off on Friday can resume on Monday. */
export const UPLOAD_LIVES_HOURS = 7 * 24;

/** Step 1: where to send the bytes. Nobody else sees the upload yet. */
export async function createUploadLink(
  { services: { db, storage, config }, access, principal }: ProjectCall,
  { body }: InputOf<typeof fileUploadsApi.createUploadLink>,
): Promise<{ put_url: string; file_id: string }> {
  const { projectId } = access;
  if (body.size_bytes !== undefined && body.size_bytes > config.limits.uploadBytes)
    throw new Problem(
      'request/too-large',
      `The file is larger than the ${groupedNumber(config.limits.uploadBytes)} bytes that this server takes.`,
      { details: { max_bytes: config.limits.uploadBytes } },
    );
  await storage.requireSpace(body.size_bytes ?? 0);
  const folderId = body.folder_id ?? null;
  if (folderId !== null) await db.transaction().execute((trx) => requireFolder(trx, projectId, folderId));
  const replaces = body.replaces ?? null;
  if (replaces !== null) {
    const file = isUuid(replaces) ? await findFile(db, projectId, replaces) : undefined;
    if (file === undefined) throw notFound('The file to be replaced');
    requireReplaceable(access, principal, file, body.file_type ?? null);
  }
  if (body.name !== undefined) await requireFreeName(db, { projectId, folderId, name: body.name, but: replaces });
  const id = uuidv7();
  await db.transaction().execute(async (trx) => {
    // Without a size, the bytes are counted once they have arrived.
    await requireStorage(trx, config.quotas, access.organizationId, body.size_bytes ?? 1);
    await insertUpload(trx, {
      id,
      projectId,
      name: body.name ?? null,
      folderId,
      fileType: body.file_type ?? null,
      fingerprint: body.fingerprint ?? null,
      replaces,
      contentType: body.content_type,
      storageKey: uploadKey(id),
      sizeBytes: body.size_bytes ?? null,
      createdBy: principal.userId,
      expiresAt: new Date(Date.now() + UPLOAD_LIVES_HOURS * 3_600_000),
    });
  });
  const agreed = {
    contentType: body.content_type,
    ...(body.size_bytes === undefined ? {} : { sizeBytes: body.size_bytes }),
  };
  return { put_url: await storage.signPut(uploadKey(id), agreed), file_id: id };
}

/** Checks the name before bytes are sent or concatenated; the database decides between concurrent uploads. */
async function requireFreeName(db: Queryable, wanted: WantedName): Promise<void> {
  if (!(await isFileNameTaken(db, wanted))) return;
  throw new Problem(
    'files/name-taken',
    `There is a file "${wanted.name}" here already. Choose another name or another folder.`,
    {
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    },
  );
}

/** The caller's unfinished uploads in parts, newest first. */
export async function listUploads(
  { services: { db, storage }, access: { projectId }, principal: { userId } }: ProjectCall,
  { query }: InputOf<typeof fileUploadsApi.listUploads>,
): Promise<Page<Upload>> {
  const rows = await listUploadsInParts(db, projectId, userId, {
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ id }) => [id]);
  const uploads: Upload[] = [];
  for (const row of data) {
    const upload = partedOf(row);
    if (upload !== undefined) uploads.push(toUpload(row, upload, await listArrivedParts(storage, upload)));
  }
  return { data: uploads, next_cursor };
}

export async function getUpload(
  { services: { db, storage }, access: { projectId }, principal: { userId } }: ProjectCall,
  { upload_id: id }: InputOf<typeof fileUploadsApi.getUpload>,
): Promise<UploadDetail> {
  const row = isUuid(id) ? await findUpload(db, projectId, userId, id) : undefined;
  if (row === undefined) throw notFound('This upload');
  const upload = requireParted(row);
  const parts = await listArrivedParts(storage, upload);
  return { ...toUpload(row, upload, parts), parts };
}

function toUpload(row: UploadRow, { sizeBytes, partBytes }: PartedUpload, parts: readonly ArrivedPart[]): Upload {
  return {
    id: row.id,
    name: row.name,
    folder_id: row.folder_id,
    file_type: row.file_type,
    size_bytes: sizeBytes,
    part_bytes: partBytes,
    received_bytes: bytesOf(parts),
    fingerprint: row.fingerprint,
    replaces: row.replaces,
    created_at: row.created_at,
    expires_at: row.expires_at,
  };
}

function partedOf(row: UploadRow): PartedUpload | undefined {
  if (row.size_bytes === null) return undefined;
  return { id: row.id, sizeBytes: row.size_bytes, partBytes: row.part_bytes ?? UPLOAD_PART_BYTES };
}

function requireParted(row: UploadRow): PartedUpload {
  const upload = partedOf(row);
  if (upload !== undefined) return upload;
  throw new Problem(
    'request/invalid',
    'This upload was begun without size_bytes, so that it cannot come in parts. Send it to put_url in one piece.',
  );
}

/** Step 2 for uploads in parts: an address for each requested part. */
export async function createPartLinks(
  { services: { db, storage }, access: { projectId }, principal: { userId } }: ProjectCall,
  { upload_id: id, body: { numbers } }: InputOf<typeof fileUploadsApi.createPartLinks>,
): Promise<z.output<typeof uploadPartLinks>> {
  const row = isUuid(id) ? await findUpload(db, projectId, userId, id) : undefined;
  if (row === undefined) throw notFound('This upload');
  const upload = requireParted(row);
  const count = countParts(upload);
  const beyond = numbers.find((number) => number > count);
  if (beyond !== undefined)
    throw new Problem('request/invalid', `The upload has ${count} parts; there is no part ${beyond}.`, {
      invalidParams: [{ name: 'body.numbers', reason: `From 1 to ${count}` }],
    });
  if (row.part_bytes === null) await updateUploadPartBytes(db, projectId, id, upload.partBytes);
  const links = numbers.map(async (number) => {
    const sizeBytes = partSize(upload, number);
    const put_url = await storage.signPut(partKey(id, number), { contentType: row.content_type, sizeBytes });
    return { number, size_bytes: sizeBytes, put_url };
  });
  return { data: await Promise.all(links) };
}

/** Cancels an upload and deletes everything of it. */
export async function cancelUpload(
  { services: { db, storage }, access: { projectId, organizationId }, principal: { userId } }: ProjectCall,
  { upload_id: id }: InputOf<typeof fileUploadsApi.cancelUpload>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = isUuid(id) ? await findUploadForUpdate(trx, projectId, userId, id) : undefined;
    if (row === undefined) throw notFound('This upload');
    await deleteUpload(trx, projectId, id);
    const place = { project_id: projectId, organization_id: organizationId };
    await publishEvent(trx, { type: 'file', id, ...place, user_ids: [userId] });
    // Before the commit: if this fails, the upload can still be cancelled or swept.
    await deleteBytes({ storage }, { ...row, project_id: projectId });
  });
}

/** Deletes all stored objects of an upload that did not become a file. */
export async function deleteBytes(
  { storage }: Pick<Services, 'storage'>,
  upload: { id: string; project_id: string; storage_key: string },
): Promise<void> {
  await storage.delete(upload.storage_key, originalKey(upload.project_id, upload.id));
  await deleteParts(storage, upload.id);
}

/** Concatenations running in this process: a client that retries after a broken connection waits for the same one. */
const assembling = new Map<string, Promise<void>>();

/**
 * Start of step 3 for uploads in parts: concatenates them, outside the transaction that creates the file, because it
 * takes a while. Safe to repeat. Refuses an upload that lacks parts and keeps those that have arrived. Returns the key
 * of what this call put together, if it did.
 */
export async function assembleUpload(
  { db, storage }: Services,
  { projectId }: ProjectAccess,
  { userId }: Principal,
  file: { file_id: string; name: string; folder_id?: string | null | undefined },
): Promise<string | undefined> {
  const row = await findUpload(db, projectId, userId, file.file_id);
  if (row === undefined || row.part_bytes === null) return undefined;
  const upload = requireParted(row);
  for (const key of [row.storage_key, originalKey(projectId, row.id)])
    if ((await storage.find(key))?.sizeBytes === upload.sizeBytes) return undefined;
  const received = bytesOf(await listArrivedParts(storage, upload));
  if (received !== upload.sizeBytes)
    throw new Problem(
      'files/upload-incomplete',
      `${received} of ${upload.sizeBytes} bytes have arrived. Send the parts that are missing, then try again.`,
      { details: { received_bytes: received, expected_bytes: upload.sizeBytes } },
    );
  await requireFreeName(db, { projectId, folderId: file.folder_id ?? null, name: file.name, but: row.replaces });
  let work = assembling.get(row.id);
  if (work === undefined) {
    work = assembleParts(storage, upload, row.storage_key).finally(() => assembling.delete(row.id));
    assembling.set(row.id, work);
  }
  await work;
  return row.storage_key;
}

/** Size of the uploaded body; refuses one that is missing or truncated. */
export async function arrivedBytes({ storage }: Services, upload: UploadRow, key: string): Promise<number> {
  const stored = (await storage.find(upload.storage_key)) ?? (await storage.find(key));
  if (stored === undefined)
    throw new Problem(
      'files/not-uploaded',
      'The bytes of this file have not arrived. Send them to put_url first, or upload the file again.',
    );
  if (upload.size_bytes !== null && upload.size_bytes !== stored.sizeBytes) {
    await storage.delete(upload.storage_key);
    throw new Problem(
      'files/upload-incomplete',
      `${stored.sizeBytes} bytes arrived instead of ${upload.size_bytes}. Nothing was saved; upload the file again.`,
      { details: { received_bytes: stored.sizeBytes, expected_bytes: upload.size_bytes } },
    );
  }
  return stored.sizeBytes;
}
