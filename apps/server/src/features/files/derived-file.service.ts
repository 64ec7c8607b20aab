import type { FileDetail } from '@heterosis/contracts/files';
import { uuidv7 } from 'uuidv7';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireStorage } from '../organizations/index.ts';
import { freeName, lockEntry } from '../projects/index.ts';
import { originalKey, uploadKey } from './file-keys.ts';
import type { CheckOptions } from './file-meta.ts';
import { type FileRow, insertFile, isFileNameTaken } from './files.queries.ts';
import { enqueueCheck, getFile } from './files.service.ts';
import { nameTaken } from './folders.service.ts';

export interface DerivedFile {
  /** What was asked for; undefined: `defaultName`, or the first free name like it. */
  name: string | undefined;
  defaultName: string;
  contentType: string;
  description: string;
  /** How the check reads it. */
  options: CheckOptions;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Makes a file of the same type beside `source`, and starts its check. The bytes lie among
 * the uploads until the file exists, where a sweep finds them if the server stops.
 */
export async function createDerivedFile(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  source: FileRow,
  { name: asked, defaultName, contentType, description, options, bytes }: DerivedFile,
): Promise<FileDetail> {
  const { db, storage, config } = services;
  const { projectId, organizationId } = access;
  const id = uuidv7();
  const staged = uploadKey(id);
  try {
    const { sizeBytes } = await storage.put(staged, bytes, { contentType });
    await nameTaken('files_name', asked, () =>
      db.transaction().execute(async (trx) => {
        if (!(await lockEntry(trx, 'files', projectId, source.id))) throw notFound('This file');
        await requireStorage(trx, config.quotas, organizationId, sizeBytes);
        const name =
          asked ??
          (await freeName(defaultName, {
            hasEnding: true,
            mark: (k) => ` (${k + 1})`,
            isTaken: (candidate) => isFileNameTaken(trx, projectId, source.folder_id, candidate, null),
          }));
        const key = originalKey(projectId, id);
        await insertFile(trx, {
          id,
          projectId,
          folderId: source.folder_id,
          name,
          fileType: source.file_type,
          status: 'UPLOADED',
          contentType,
          sizeBytes,
          storageKey: key,
          createdBy: principal.userId,
          meta: { options },
          description,
        });
        await enqueueCheck(services, trx, access, id, principal.userId);
        await storage.move(staged, key);
      }),
    );
  } catch (error) {
    await storage.delete(staged);
    throw error;
  }
  return await getFile(services, access, id);
}
