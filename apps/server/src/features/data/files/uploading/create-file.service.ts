import { type createFileBody, UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { notFound } from '../../../../platform/http/problem.ts';
import { requireStorage } from '../../../people/organizations/index.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { beginCheck } from '../checking/begin-check.ts';
import { type FileCall, moveToBin } from '../delete-file.service.ts';
import { originalKey } from '../file-keys.ts';
import type { FileMeta } from '../file-meta.ts';
import { type FileRow, insertFile } from '../files.queries.ts';
import { getFileRow, toDetail } from '../files.service.ts';
import { nameTaken, requireFolder } from '../folders/folders.service.ts';
import { requireReplaceable } from './replaced-file.ts';
import { deleteParts } from './upload-parts.ts';
import { deleteUpload, findUploadForUpdate } from './uploads.queries.ts';
import { arrivedBytes, assembleUpload } from './uploads.service.ts';

/** Step 3: the bytes are complete, so create the file and the job that checks it. */
export async function createFile(call: FileCall, { body }: InputOf<typeof filesApi.createFile>): Promise<FileDetail> {
  const { services, access, principal } = call;
  const { db, storage } = services;
  const { projectId } = access;
  const fileType = body.file_type ?? null;
  const assembled = await assembleUpload(services, access, principal, body);
  return await nameTaken('files_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      const upload = await findUploadForUpdate(trx, projectId, principal.userId, body.file_id);
      if (upload === undefined) {
        // Another request has made the file of it meanwhile; nothing would ever remove what this one put together.
        if (assembled !== undefined) await storage.delete(assembled);
        throw notFound('This upload');
      }
      const key = originalKey(projectId, upload.id);
      const sizeBytes = await arrivedBytes(services, upload, key);
      if (upload.size_bytes === null)
        await requireStorage(trx, services.config.quotas, access.organizationId, sizeBytes);
      await requireFolder(trx, projectId, body.folder_id ?? null);
      const replaced = await findReplaced(trx, call, upload.replaces, fileType);
      if (replaced !== undefined) await moveToBin(call, trx, { file: replaced, cascade: false });
      await insertFile(trx, {
        id: upload.id,
        projectId,
        folderId: body.folder_id ?? null,
        name: body.name,
        fileType,
        // A file without type is stored unchecked.
        status: fileType === null ? 'READY' : 'UPLOADED',
        contentType: upload.content_type,
        sizeBytes,
        storageKey: key,
        createdBy: principal.userId,
        meta: { ...declaredOf(body, upload.part_bytes), ...readingOf(body, replaced) },
        description: replaced?.description ?? null,
      });
      await deleteUpload(trx, projectId, upload.id);
      await beginCheck(services, trx, { ...access, fileId: upload.id, requestedBy: principal.userId });
      // Move the bytes out of reach of the upload link. Before the commit: if that fails, the next attempt finds them
      // here.
      if ((await storage.find(upload.storage_key)) !== undefined) await storage.move(upload.storage_key, key);
      if (upload.part_bytes !== null) await deleteParts(storage, upload.id);
      return await toDetail(services, trx, await getFileRow(trx, projectId, upload.id));
    }),
  );
}

/** The file to be replaced. If it was deleted or became valid meanwhile, the new file is added beside it. */
async function findReplaced(
  trx: DatabaseTransaction,
  { access, principal }: FileCall,
  id: string | null,
  fileType: FileType | null,
): Promise<FileRow | undefined> {
  if (id === null || !(await lockEntry(trx, 'files', access.projectId, id))) return undefined;
  const file = await getFileRow(trx, access.projectId, id);
  if (file.status !== 'INVALID') return undefined;
  requireReplaceable(access, principal, file, fileType);
  return file;
}

/** How the sender says that a genotype is to be read, else how the file was that it replaces. */
function readingOf(body: z.output<typeof createFileBody>, replaced: FileRow | undefined): FileMeta {
  const ploidy = body.ploidy ?? replaced?.meta.options?.ploidy;
  const wanted = body.samples_of_ploidy ?? replaced?.meta.options?.samples_of_ploidy;
  const field = body.genotype_field ?? replaced?.meta.options?.genotype_field;
  const options = {
    ...(ploidy == null ? {} : { ploidy }),
    ...(wanted == null ? {} : { samples_of_ploidy: wanted }),
    ...(field == null ? {} : { genotype_field: field }),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}

/** Size and hash that the sender declares, for the check. */
function declaredOf(body: z.output<typeof createFileBody>, partBytes: number | null): FileMeta {
  const { sha256, parts_sha256: partsSha256 } = body;
  const declared = {
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(partsSha256 === undefined ? {} : { parts: { sha256: partsSha256, bytes: partBytes ?? UPLOAD_PART_BYTES } }),
  };
  return Object.keys(declared).length === 0 ? {} : { declared };
}
