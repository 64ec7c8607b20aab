import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../platform/http/app.ts';
import { workRoot } from '../runs/index.ts';
import { deleteExpiredUploads } from './files.queries.ts';

const DAY_MS = 86_400_000;

/** Removes uploads that nobody finished and what killed workers left behind. */
export async function sweepUploads({ db, storage, config }: Services): Promise<void> {
  for (const { storage_key } of await deleteExpiredUploads(db)) await storage.delete(storage_key);
  const yesterday = Date.now() - DAY_MS;
  // Sent to an upload link after its file had been made.
  for await (const { key, modifiedAt } of storage.list('uploads/'))
    if (modifiedAt.getTime() < yesterday) await storage.delete(key);
  for (const name of await readdir(workRoot(config)).catch(missingAsEmpty)) {
    const path = join(workRoot(config), name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < yesterday) await rm(path, { recursive: true, force: true });
  }
}

function missingAsEmpty(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
