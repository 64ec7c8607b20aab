import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { requireSpace } from '../object-storage/disk-reserve.ts';
import { scratchName } from './scratch-name.ts';

/** Temporary files of jobs. A sweep deletes those left by killed workers. */
export const workRoot = (config: Config): string => join(config.dataDir, 'work');

/** Runs `work` in a new directory and deletes the directory afterwards. */
export async function withWorkDirectory<Result>(
  config: Config,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = join(workRoot(config), scratchName());
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await requireSpace(directory, config.limits.reservedDiskBytes);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
