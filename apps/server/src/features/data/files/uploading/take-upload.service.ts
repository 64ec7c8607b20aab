import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { notFound } from '../../../../platform/http/problem.ts';
import { deleteParts } from './upload-parts.ts';
import { deleteUpload, findUploadForUpdate } from './uploads.queries.ts';
import { arrivedBytes, assembleUpload } from './uploads.service.ts';

/**
 * Gives the bytes of an upload to something that is no file: they move to `key`, out of reach of the upload link, in
 * the transaction of `make`.
 */
export async function takeUpload(
  { services, access, principal }: Pick<ProjectCall, 'services' | 'access' | 'principal'>,
  { uploadId, name, key }: { uploadId: string; name: string; key: string },
  make: (trx: DatabaseTransaction, sizeBytes: number) => Promise<void>,
): Promise<void> {
  const { db, storage } = services;
  const { projectId } = access;
  await assembleUpload(services, access, principal, { file_id: uploadId, name });
  await db.transaction().execute(async (trx) => {
    const upload = await findUploadForUpdate(trx, projectId, principal.userId, uploadId);
    if (upload === undefined) throw notFound('This upload');
    const sizeBytes = await arrivedBytes(services, upload, key);
    await deleteUpload(trx, projectId, upload.id);
    await make(trx, sizeBytes);
    if ((await storage.find(upload.storage_key)) !== undefined) await storage.move(upload.storage_key, key);
    if (upload.part_bytes !== null) await deleteParts(storage, upload.id);
  });
}
