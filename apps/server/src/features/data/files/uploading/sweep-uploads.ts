import type { Services } from '../../../../platform/http/app.ts';
import { UPLOAD_PARTS, UPLOADS } from '../file-keys.ts';
import { deleteExpiredUploads } from './uploads.queries.ts';
import { deleteBytes, UPLOAD_LIVES_HOURS } from './uploads.service.ts';

const HOUR_MS = 3_600_000;

/** Removes unfinished uploads. */
export async function sweepUploads({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  for (const upload of await deleteExpiredUploads(db)) await deleteBytes({ storage }, upload);
  // Sent to an upload link after the file was created or the upload cancelled.
  const oldest = Date.now() - UPLOAD_LIVES_HOURS * HOUR_MS;
  for (const prefix of [UPLOADS, UPLOAD_PARTS])
    for await (const { key, modifiedAt } of storage.list(prefix))
      if (modifiedAt.getTime() < oldest) await storage.delete(key);
}
