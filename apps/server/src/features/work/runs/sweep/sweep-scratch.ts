import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../../../platform/http/app.ts';
import { isAbandoned } from '../../../../platform/processes/scratch-name.ts';
import { workRoot } from '../../../../platform/processes/work-directory.ts';

/** Older than this it is nobody's, whatever machine made it: no job runs for so long. */
const DAY_MS = 24 * 3_600_000;

/** Removes what killed processes left: their directories of work, and files half written into the storage. */
export async function sweepScratch({ storage, config }: Pick<Services, 'storage' | 'config'>): Promise<void> {
  const yesterday = Date.now() - DAY_MS;
  await storage.removeUnfinished(new Date(yesterday));
  for (const name of await readdir(workRoot(config)).catch(missingAs([]))) {
    const path = join(workRoot(config), name);
    // A job that ends meanwhile removes its own directory.
    const changedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, missingAs(Date.now()));
    if (changedAt < yesterday || isAbandoned(name)) await rm(path, { recursive: true, force: true });
  }
}

const missingAs =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
