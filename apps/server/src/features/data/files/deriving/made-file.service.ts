import type { FileType } from '@heterosis/contracts/data/files';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { requireStorage } from '../../../people/organizations/index.ts';
import { beginCheck } from '../checking/begin-check.ts';
import { covarianceKey, originalKey, stagedCovarianceKey, uploadKey } from '../file-keys.ts';
import type { CheckOptions, StoredCovariance } from '../file-meta.ts';
import { insertFile } from '../files.queries.ts';
import { freeFileName } from '../uploading/free-file-name.ts';

interface MadeFile {
  /** It gets this name, or the first free one like it. */
  defaultName: string;
  contentType: string;
  description: string;
  /** How the check reads it. */
  options: CheckOptions;
  bytes: AsyncIterable<Uint8Array>;
  /** Of the means in a phenotype file. */
  covariance?: { what: Omit<StoredCovariance, 'size_bytes' | 'sha256'>; bytes: AsyncIterable<Uint8Array> };
}

/** Where a file is made that nobody uploads. */
interface PlaceOfFile {
  projectId: string;
  organizationId: string;
  folderId: string | null;
  fileType: FileType;
  /** Null: by nobody who still has an account. */
  createdBy: string | null;
}

/** What else the transaction does that makes a file. */
interface InTheSameTransaction {
  /** Runs before the file is made. */
  before?: (trx: DatabaseTransaction) => Promise<void>;
  /** Runs after it, with its id. */
  after?: (trx: DatabaseTransaction, id: string) => Promise<void>;
}

/**
 * Makes a file of bytes that the server has, and starts its check; returns its id. The bytes lie among the uploads
 * until the file exists, where a sweep finds them if the server stops. */
export async function createMadeFile(
  services: Services,
  { projectId, organizationId, folderId, fileType, createdBy }: PlaceOfFile,
  { defaultName, contentType, description, options, bytes, covariance }: MadeFile,
  { before, after }: InTheSameTransaction = {},
): Promise<string> {
  const { db, storage, config } = services;
  const id = uuidv7();
  const [staged, stagedCovariance] = [uploadKey(id), stagedCovarianceKey(id)];
  try {
    const { sizeBytes } = await storage.put(staged, bytes, { contentType });
    const stored = covariance && (await storage.put(stagedCovariance, covariance.bytes));
    await db.transaction().execute(async (trx) => {
      await before?.(trx);
      await requireStorage(trx, config.quotas, organizationId, sizeBytes + (stored?.sizeBytes ?? 0));
      const name = await freeFileName(trx, projectId, folderId, defaultName);
      const key = originalKey(projectId, id);
      await insertFile(trx, {
        id,
        projectId,
        folderId,
        name,
        fileType,
        status: 'UPLOADED',
        contentType,
        sizeBytes,
        storageKey: key,
        createdBy,
        meta: {
          options,
          ...(covariance &&
            stored && {
              covariance: { ...covariance.what, size_bytes: stored.sizeBytes, sha256: stored.sha256 },
              keys: { covariance: covarianceKey(projectId, id) },
            }),
        },
        description,
      });
      await after?.(trx, id);
      await beginCheck(services, trx, { projectId, organizationId, fileId: id, requestedBy: createdBy });
      if (stored !== undefined) await storage.move(stagedCovariance, covarianceKey(projectId, id));
      await storage.move(staged, key);
    });
  } catch (error) {
    await storage.delete(staged, stagedCovariance);
    throw error;
  }
  return id;
}
