import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import { exampleRun, type RunInputs } from '@heterosis/test-support/run-examples';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashFile } from '../src/features/operation/backup/archive.ts';
import { findSnapshot, makeBackup, openArchive, verifyStorage } from '../src/features/operation/backup/index.ts';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import { isIdle } from '../src/platform/job-queue/testing/hurry.ts';
import { until } from '../src/testing/product.ts';
import { uploadRunInputs } from '../src/testing/run-inputs.ts';
import { type FailingDisk, startOnFailingDisk } from '../tools/failing-writes/failing-disk.ts';
import type { Fault } from '../tools/failing-writes/failing-writes.ts';

/** With EVERY_WRITE=on each write of each kind of run fails once in each way; otherwise some of them. */
const EVERY_WRITE = process.env['EVERY_WRITE'] === 'on';
type Way = Pick<Fault, 'who' | 'code'>;
const WAYS: Way[] = EVERY_WRITE
  ? (['server', 'child'] as const).flatMap((who) =>
      (['ENOSPC', 'EIO', 'SHORT'] as const).map((code) => ({ who, code })),
    )
  : [
      { who: 'server', code: 'EIO' },
      { who: 'child', code: 'ENOSPC' },
    ];
const PLACES = EVERY_WRITE ? Array.from({ length: 500 }, (_, k) => k + 1) : [1, 3];
const PATIENCE_MS = 60_000;

let disk: FailingDisk;
let inputs: RunInputs;

beforeAll(async () => {
  disk = await startOnFailingDisk();
  const { product, owner, project } = disk;
  inputs = await uploadRunInputs(product, owner, project);
  inputs.model_id = (await run('models')).id;
});
afterAll(() => disk?.close());
// All writes together take longer than a token is good for.
beforeEach(async () => Object.assign(disk.owner, await disk.product.person('owner')));

let names = 0;

/** Starts a run; its id, and its name, which is in some of its files. */
async function start(path: RunPath): Promise<{ id: string; name: string }> {
  const { owner, project } = disk;
  const name = `Run ${String(++names).padStart(4, '0')}`;
  const ask = () => owner.call('POST', `${project.address}/${path}`, exampleRun(path, name, inputs));
  const made = await until(ask, ({ status }) => status < 500, PATIENCE_MS);
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, name };
}

const statesOf = async (id: string): Promise<string[]> =>
  (await disk.product.services.db.selectFrom('runs').select('state').where('entity_id', '=', id).execute()).map(
    ({ state }) => state,
  );

/** Waits for the end of a run, whose waits are ended; its files by their names, with the hashes of their bytes. */
async function ended(path: RunPath, { id, name }: { id: string; name: string }): Promise<Record<string, string>> {
  const look = async () => {
    await disk.letGo();
    return await statesOf(id);
  };
  const isEnd = (states: string[]): boolean =>
    states.every((state) => !['WAITING', 'RUNNING', 'QUEUED'].includes(state));
  const states = await until(look, isEnd, PATIENCE_MS);
  expect(states, `${path} ${name}`).toEqual(states.map(() => 'SUCCEEDED'));
  const { db, storage } = disk.product.services;
  await until(() => isIdle(db), Boolean, PATIENCE_MS);
  const prefix = `projects/${disk.project.projectId}/${path}/${id}/`;
  const files: Record<string, string> = {};
  for await (const { key } of storage.list(prefix)) {
    const source = await storage.open(key);
    const text = Buffer.from(await source.read(0, source.size)).toString('latin1');
    await source.close();
    // Without the ids of the run and of its attempt.
    const file = key.slice(prefix.length).split('/').slice(1).join('/');
    expect(files[file], `${file} is there twice`).toBeUndefined();
    files[file] = createHash('sha256').update(text.replaceAll(name, '')).digest('hex');
  }
  return files;
}

async function run(path: RunPath): Promise<{ id: string; files: Record<string, string> }> {
  const started = await start(path);
  return { id: started.id, files: await ended(path, started) };
}

describe.each(runPaths)('%s', (path) => {
  /** All kinds store their results in the same way. */
  const others = path === 'gwas' ? {} : { tags: 'whole' as const };
  describe.each(WAYS)('whichever write of the $who meets $code', (way) => {
    test('have the same results in the end', { tags: 'whole', timeout: 900_000 }, async () => {
      const { files } = await run(path);
      expect(Object.keys(files).length).toBeGreaterThan(0);
      let came = 0;
      for (const at of PLACES) {
        disk.set({ ...way, at, times: 1 });
        const started = await start(path);
        const found = await ended(path, started);
        const hasCome = disk.came();
        disk.set(undefined);
        expect(found, `${way.who}, ${way.code} at write ${at}`).toEqual(files);
        if (!hasCome) break;
        came++;
      }
      expect(came).toBeGreaterThan(0);
    });
  });

  const patiently = { ...others, timeout: 120_000 };
  test('wait while the disk is full, show nothing, and end when there is space', patiently, async () => {
    const { files } = await run(path);
    disk.set({ who: 'child', code: 'ENOSPC', at: 1, times: -1 });
    const started = await start(path);
    await until(async () => disk.came(), Boolean, PATIENCE_MS);
    // More attempts than a failing job has.
    for (let k = 0; k < 6; k++) {
      await disk.letGo();
      expect(await statesOf(started.id)).not.toContain('FAILED');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    disk.set(undefined);
    expect(await ended(path, started)).toEqual(files);
  });
});

test.each(WAYS)(
  'a phased file that meets $code of the $who is whole',
  { tags: 'whole', timeout: 900_000 },
  async (way) => {
    const { owner, project, product } = disk;
    let came = 0;
    for (const at of PLACES) {
      disk.set({ ...way, at, times: 1 });
      const name = `phased ${++names}.vcf`;
      const ask = () => owner.call('POST', `${project.address}/files/${inputs.genotype_id}/phasing`, { name });
      const made = await until(ask, ({ status }) => status < 500, PATIENCE_MS);
      expect(made.status, made.text).toBe(202);
      const phased = async () => {
        await disk.letGo();
        const { db } = product.services;
        return (await db.selectFrom('files').select('status').where('name', '=', name).executeTakeFirst())?.status;
      };
      const status = await until(phased, (now) => /^(READY|INVALID)/.test(now ?? ''), PATIENCE_MS);
      const hasCome = disk.came();
      disk.set(undefined);
      expect(status, `${way.who}, ${way.code} at write ${at}`).toMatch(/^READY/);
      if (!hasCome) break;
      came++;
    }
    expect(came).toBeGreaterThan(0);
  },
);

test.each(WAYS.filter(({ who }) => who === 'server'))(
  'a backup that meets $code is whole or is none',
  { tags: 'whole', timeout: 900_000 },
  async (way) => {
    const { services } = disk.product;
    const archive = openArchive(join(services.config.dataDir, `backups-${way.code}`));
    let came = 0;
    for (const at of PLACES) {
      const before = await archive.list();
      disk.set({ ...way, at, times: 1 });
      const made = await makeBackup(services, archive).then(
        ({ snapshot }) => snapshot,
        () => undefined,
      );
      const hasCome = disk.came();
      disk.set(undefined);
      expect(await archive.list()).toEqual([...before, ...(made === undefined ? [] : [made])]);
      if (!hasCome) break;
      came++;
    }
    expect(came).toBeGreaterThan(0);
    await makeBackup(services, archive);
    const { objects } = await archive.read(await findSnapshot(archive));
    expect(objects.length).toBeGreaterThan(0);
    for (const { sha256, sizeBytes } of objects)
      expect(await hashFile(archive.pathOf(sha256))).toEqual({ sha256, sizeBytes });
  },
);

test('and nothing is missing, damaged or left over', async () => {
  const { db, storage } = disk.product.services;
  await sweepRuns({ db, storage }, 0);
  const { missing, damaged, orphans } = await verifyStorage({ db, storage }, { hashes: true, youngMs: 0 });
  expect({ missing, damaged, orphans: orphans.map(({ key }) => key) }).toEqual({
    missing: [],
    damaged: [],
    orphans: [],
  });
});
