import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';

/** Temporary files of jobs. The sweep of uploads deletes those left by killed workers. */
export const workRoot = (config: Config): string => join(config.dataDir, 'work');

/** Runs `work` in a new directory and deletes the directory afterwards. */
export async function withWorkDirectory<Result>(
  config: Config,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(workRoot(config), { recursive: true });
  const directory = await mkdtemp(join(workRoot(config), 'job-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
