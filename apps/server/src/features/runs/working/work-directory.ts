import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';

/** Where jobs keep what they are working on; emptied of what killed workers left behind by the daily sweep. */
export const workRoot = (config: Config): string => join(config.dataDir, 'work');

/** A directory that lives as long as `work` runs. */
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
