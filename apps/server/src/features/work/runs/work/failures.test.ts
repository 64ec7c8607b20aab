import { isRetryable } from '@heterosis/contracts/work/runs';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { createComputePool } from '../../../../platform/compute/compute-pool.ts';
import { type MaizeFiles, settledFile, until, uploadMaize } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';
import { ofFailure } from './error-extra.ts';

const { product, owner, project } = await startProject();
let maize: MaizeFiles;
let count = 0;
beforeAll(async () => {
  maize = await uploadMaize(product, project);
});

type Kind = 'models' | 'gwas';

async function start(kind: Kind): Promise<string> {
  const folds = kind === 'models' ? { n_fold: 2, n_repetition: 1 } : {};
  const files = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id };
  const body = { name: `Run ${++count}`, traits: ['EarHT'], ...files, ...folds };
  const made = await owner.call('POST', `${project.address}/${kind}`, body);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const ended = (kind: Kind, id: string) =>
  until(
    async () => (await owner.call('GET', `${project.address}/${kind}/${id}`)).body,
    ({ status }) => ['EVALUATED', 'SUCCESS', 'ERROR'].includes(status.EarHT),
  );

const attemptsOf = async (id: string): Promise<number[]> => {
  const runs = await product.services.db.selectFrom('runs').select('attempt').where('entity_id', '=', id).execute();
  return runs.map(({ attempt }) => attempt);
};

async function keysOf(fileId: string): Promise<Record<string, string>> {
  const file = await product.services.db
    .selectFrom('files')
    .select('meta')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  return (file.meta as { keys: Record<string, string> }).keys;
}

async function cut(key: string, share: number): Promise<void> {
  const { storage } = product.services;
  const source = await storage.open(key);
  const bytes = await source.read(0, Math.floor(source.size * share));
  await source.close();
  await storage.put(key, bytes);
}

test.each<[string, Kind, () => Promise<void>, string]>([
  [
    'whose table of phenotypes was cut in the storage',
    'gwas',
    async () => cut((await keysOf(maize.phenotype.id))['table'] ?? '', 0.5),
    'storage/object-damaged',
  ],
  [
    'whose .bed was cut in the storage',
    'models',
    async () => cut((await keysOf(maize.genotype.id))['bed'] ?? '', 0.7),
    'storage/object-damaged',
  ],
  [
    'whose .bed is gone from the storage',
    'gwas',
    async () => product.services.storage.delete((await keysOf(maize.genotype.id))['bed'] ?? ''),
    'storage/object-missing',
  ],
])('a run %s says what to do, is not tried in vain, and goes well after that', async (_what, kind, spoil, code) => {
  await product.stopWorker();
  const id = await start(kind);
  await spoil();
  const busy = await owner.call('POST', `${project.address}/files/${maize.genotype.id}/check`, {});
  expect([busy.status, busy.body.code]).toEqual([409, 'files/in-use']);
  await product.startWorker();
  const failed = await ended(kind, id);
  expect(failed.error_extras.EarHT).toMatchObject({
    code,
    message: expect.stringMatching(/^A stored part .* is missing or damaged\.$/),
    action: expect.stringContaining('"Check again"'),
  });
  expect(isRetryable(code)).toBe(true);
  expect(await attemptsOf(id)).toEqual([1]);

  for (const { id: file } of [maize.genotype, maize.phenotype]) {
    const again = await owner.call('POST', `${project.address}/files/${file}/check`, {});
    expect(again.status, again.text).toBe(200);
    await settledFile(owner, project, file);
  }
  expect((await owner.call('POST', `${project.address}/${kind}/${id}/retry`)).status).toBe(200);
  expect((await ended(kind, id)).error_extras.EarHT).toBeNull();
});

test('what was lost in the storage is named before a run starts, too', async () => {
  await cut((await keysOf(maize.phenotype.id))['table'] ?? '', 0.5);
  const files = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id };
  const refused = await owner.call('POST', `${project.address}/gwas`, { name: 'Refused', traits: ['EarHT'], ...files });
  expect([refused.status, refused.body.code]).toEqual([500, 'server/stored-part-lost']);
  expect(refused.body.detail).toContain('"Check again"');
  const other = await owner.call('POST', `${project.address}/files/${maize.phenotype.id}/check`, {
    file_type: 'GENOTYPE',
  });
  expect([other.status, other.body.code]).toEqual([409, 'files/in-use']);
  await owner.call('POST', `${project.address}/files/${maize.phenotype.id}/check`, {});
  await settledFile(owner, project, maize.phenotype.id);
});

test('a run that does not fit into the memory of a compute process says so and is not tried again', async () => {
  const logger = pino({ level: 'silent' });
  await product.stopWorker();
  const small = createComputePool({ size: 1, threads: 1, memoryMb: 8, logger });
  const { compute } = product.services;
  product.services.compute = small;
  await product.startWorker();
  try {
    const id = await start('gwas');
    expect((await ended('gwas', id)).error_extras.EarHT).toMatchObject({
      code: 'compute/out-of-memory',
      message: expect.stringContaining('more memory than this server gives one run'),
      action: expect.stringContaining('fewer markers or individuals'),
    });
    expect(await attemptsOf(id)).toEqual([1]);
  } finally {
    await product.stopWorker();
    await small.close();
    product.services.compute = compute;
    await product.startWorker();
  }
});

test.each([
  ['compute/failed', 'Cannot read properties of undefined', 'compute/failed', /Something went wrong on our side/],
  ['compute/crashed', 'exit 3', 'compute/crashed', /ended unexpectedly/],
  ['compute/failed', 'ENOSPC: no space left on device, write', 'server/storage-full', /no space left on the server/],
  ['53100', 'could not extend file "base/1"', 'server/storage-full', /no space left on the server/],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', 'server/unavailable', /could not be reached/],
  ['57P01', 'terminating connection due to administrator command', 'server/unavailable', /could not be reached/],
  ['compute/failed', 'The storage cannot be reached: timed out', 'server/unavailable', /could not be reached/],
  ['jobs/worker-lost', 'The work was interrupted too often.', 'jobs/worker-lost', /server stopped during the run/],
  ['jobs/no-room', 'This needs 40.0 GB.', 'jobs/no-room', /than any worker of this server offers/],
  ['jobs/timed-out', 'The work took longer than it may.', 'jobs/timed-out', /longer than a day/],
  ['42703', 'column "x" does not exist', 'server/internal', /Something went wrong on our side/],
])('the failure %s "%s" is told in plain words and may be repeated', (code, message, known, sentence) => {
  const told = ofFailure({ code, message });
  expect(told).toMatchObject({ code: known, message: expect.stringMatching(sentence) });
  expect(told.action).toMatch(/^[A-Z].+\.$/);
  expect(`${told.message} ${told.action}`).not.toContain(message);
  expect(isRetryable(told.code)).toBe(true);
});

test.each(['analysis/constant-trait', 'models/input-gone', 'match/nothing-in-common', 'gwas/too-many-groups'])(
  'what comes of files and settings (%s) would come again',
  (code) => {
    expect(isRetryable(code)).toBe(false);
  },
);
