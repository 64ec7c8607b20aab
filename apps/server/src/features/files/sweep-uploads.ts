import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../platform/http/app.ts';
import { workRoot } from '../runs/index.ts';
import { UPLOAD_PARTS, UPLOADS } from './file-keys.ts';
import { deleteExpiredUploads } from './uploads.queries.ts';
import { deleteBytes, UPLOAD_LIVES_HOURS } from './uploads.service.ts';

const HOUR_MS = 3_600_000;

/** Removes unfinished uploads and leftovers of killed workers. */
export async function sweepUploads({ db, storage, config }: Services): Promise<void> {
  for (const upload of await deleteExpiredUploads(db)) await deleteBytes({ storage }, upload);
  // Sent to an upload link after the file was created or the upload cancelled.
  const oldest = Date.now() - UPLOAD_LIVES_HOURS * HOUR_MS;
  for (const prefix of [UPLOADS, UPLOAD_PARTS])
    for await (const { key, modifiedAt } of storage.list(prefix))
      if (modifiedAt.getTime() < oldest) await storage.delete(key);
  const yesterday = Date.now() - 24 * HOUR_MS;
  await storage.removeUnfinished(new Date(yesterday));
  for (const name of await readdir(workRoot(config)).catch(missingAs([]))) {
    const path = join(workRoot(config), name);
    // A job that ends meanwhile removes its own directory.
    const changedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, missingAs(yesterday));
    if (changedAt < yesterday) await rm(path, { recursive: true, force: true });
  }
}

const missingAs =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
