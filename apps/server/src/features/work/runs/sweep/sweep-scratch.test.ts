import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../../platform/config/config.ts';
import { createObjectStorage } from '../../../../platform/object-storage/create-object-storage.ts';
import { scratchName } from '../../../../platform/processes/scratch-name.ts';
import { workRoot } from '../../../../platform/processes/work-directory.ts';
import { sweepScratch } from './sweep-scratch.ts';

test('what killed processes left goes at once, what other machines left goes after a day, and running work stays', async () => {
  const config = loadConfig({ DATA_DIR: await mkdtemp(join(tmpdir(), 'heterosis-scratch-')) });
  const { storage } = createObjectStorage(config);
  // Nothing is there yet.
  await sweepScratch({ storage, config });

  const own = scratchName();
  const killed = own.replace(/~\d+~/, '~4194304~');
  const elsewhere = own.replace(/^[^~]+/, 'elsewhere');
  const old = elsewhere.replace('elsewhere', 'elsewhere-old');
  const incoming = join(config.dataDir, 'files', '.incoming');
  await mkdir(incoming, { recursive: true });
  for (const name of [own, killed, elsewhere, old]) {
    await mkdir(join(workRoot(config), name), { recursive: true });
    await writeFile(join(workRoot(config), name, 'half.bed'), 'x');
    await writeFile(join(incoming, name), 'x');
  }
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const root of [workRoot(config), incoming]) await utimes(join(root, old), longAgo, longAgo);
  // Listed but already removed: the directory of a job that has just ended.
  await symlink('nowhere', join(workRoot(config), `${own}0`));

  await sweepScratch({ storage, config });
  expect((await readdir(incoming)).toSorted()).toEqual([elsewhere, own].toSorted());
  expect((await readdir(workRoot(config))).toSorted()).toEqual([elsewhere, own, `${own}0`].toSorted());
  await rm(config.dataDir, { recursive: true });
});
