import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import {
  download,
  MAIZE,
  type MaizeFiles,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  startProduct,
  until,
  uploadMaize,
} from '../src/testing/product.ts';
import { expectForwardProgress, watchProgress } from '../src/testing/watched-progress.ts';
import { startWatchedWorker, type WatchedWorker } from '../src/testing/watched-worker.ts';

/** A flow starts a dozen processes in sequence, which takes long on a busy machine. */
const PATIENCE_MS = 120_000;
/** Chunks of one block of 1,024 markers for all lines; the 3,093 markers of few lines are one chunk. */
const CHUNK_GFLOP = 0.05;
const CLI = join(import.meta.dirname, '../../cli/bin/heterosis.mjs');
const run = promisify(execFile);

let product: Product;
let owner: Person;
let project: Project;
let maize: MaizeFiles;
let undisturbed: GwasDetail;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  product = await startProduct({
    changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: CHUNK_GFLOP, tileMarkers: 8192 } },
  });
  owner = await product.person('olga');
  project = await product.project(owner);
  maize = await uploadMaize(product, project);
  await watchProgress(product);
  undisturbed = await settled((await create()).id);
  expect(undisturbed.status).toEqual({ dpoll: 'SUCCESS', EarHT: 'SUCCESS' });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await product.close();
});

let count = 0;
/** Two traits on different lines: eight chunks. */
async function create(changes: object = {}): Promise<GwasDetail> {
  const { genotype, phenotype } = maize;
  const body = { genotype_id: genotype.id, phenotype_id: phenotype.id, traits: ['dpoll', 'EarHT'], fixed: 2 };
  const made = await owner.call('POST', `${project.address}/gwas`, { name: `GWAS ${++count}`, ...body, ...changes });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const read = async (id: string): Promise<GwasDetail> => (await owner.call('GET', `${project.address}/gwas/${id}`)).body;
const settled = (id: string): Promise<GwasDetail> =>
  until(
    () => read(id),
    ({ status }) => Object.values(status).every((one) => one !== 'PROCESSING'),
    PATIENCE_MS,
  );

async function csvOf(gwas: GwasDetail, trait: string): Promise<string> {
  const { status, text } = await download(product.app, gwas.result_urls[trait] ?? '');
  expect(status).toBe(200);
  return text;
}

async function expectSameResults(gwas: GwasDetail): Promise<void> {
  expect(gwas.status).toEqual(undisturbed.status);
  expect(gwas.summary).toEqual(undisturbed.summary);
  for (const trait of undisturbed.traits) expect(await csvOf(gwas, trait)).toBe(await csvOf(undisturbed, trait));
}

/** Keys below the GWAS without its prefix; those of a flow are named after their chunk. */
async function stored(gwasId: string): Promise<string[]> {
  const prefix = `projects/${project.projectId}/gwas/${gwasId}/`;
  const keys: string[] = [];
  for await (const { key } of product.services.storage.list(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}
const chunkHasResult = (gwasId: string): Promise<string[]> =>
  until(
    () => stored(gwasId),
    (keys) => keys.some((key) => /\/parts\/\d+-\d+$/.test(key)),
    PATIENCE_MS,
  );

const runOf = (gwasId: string) =>
  product.services.db
    .selectFrom('runs')
    .select(['id', 'state', 'attempt'])
    .where('entity_id', '=', gwasId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

const expectForward = (gwasId: string) =>
  expectForwardProgress(product, { entityId: gwasId, step: 'gwas', partsStage: 'test' });

test('progress goes forward through stages and chunks, and ends at the end', async () => {
  await expectForward(undisturbed.id);
});

test('the results are byte by byte those of the command line', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-cli-'));
  try {
    const out = join(directory, 'gwas.csv');
    const inputs = ['--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', join(MAIZE, 'phenotypes.csv')];
    const options = ['--trait', 'EarHT', '--fixed', '2', '--threads', '1', '--out', out];
    await run(process.execPath, [CLI, 'gwas', ...inputs, ...options]);
    expect(await readFile(out, 'utf8')).toBe(await csvOf(undisturbed, 'EarHT'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

function startWorker(): WatchedWorker {
  const worker = startWatchedWorker(product, 'test-gwas-markers', { CHUNK_GFLOP: String(CHUNK_GFLOP) });
  workers.push(worker.child);
  return worker;
}

test('two workers share the chunks; when one is killed in the middle of a chunk the other finishes it, with the same result', {
  tags: 'whole',
  timeout: 300_000,
}, async () => {
  await product.stopWorker();
  const [first, second] = [startWorker(), startWorker()];
  const { id } = await create();
  // Starting a compute process takes longer than this check.
  await until(
    async () => first,
    ({ begun, ended }) => begun.length > ended.length && second.begun.length > 0,
    PATIENCE_MS,
  );
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const interrupted = first.begun.at(-1) ?? '';
  expect(first.ended).not.toContain(interrupted);
  expect((await read(id)).status).toEqual({ dpoll: 'PROCESSING', EarHT: 'PROCESSING' });

  await missHeartbeats(product, interrupted);
  await until(
    async () => second.begun,
    (begun) => begun.includes(interrupted),
    PATIENCE_MS,
  );
  const gwas = await settled(id);
  expect(second.ended).toContain(interrupted);
  expect(new Set([...first.ended, ...second.ended])).toHaveProperty('size', 8);
  expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', attempt: 1 });
  await expectSameResults(gwas);
  await expectForward(id);
  await until(
    () => stored(id),
    (keys) => keys.every((key) => !key.includes('/parts/')),
  );
  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
});

/** The tests below use one worker, in this process. */
describe('with a worker in this process', () => {
  beforeAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await product.startWorker();
  });

  const computeProcesses = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;

  test('a cancel after the first chunks stops the calculation, leaves nothing behind, and can be run again', {
    tags: 'whole',
    timeout: 200_000,
  }, async () => {
    const { id } = await create();
    await chunkHasResult(id);
    const cancelled = await owner.call('POST', `${project.address}/gwas/${id}/cancel`);
    expect(cancelled.body.status).toEqual({ dpoll: 'ERROR', EarHT: 'ERROR' });
    expect(cancelled.body.error_extras.dpoll.code).toBe('runs/cancelled');
    const { id: runId, state } = await runOf(id);
    expect(state).toBe('CANCELLED');
    await until(
      async () => computeProcesses(),
      (processes) => processes === 0,
    );
    // As left by a worker that was killed before it could clean up.
    const { storage } = product.services;
    await storage.put(`projects/${project.projectId}/gwas/${id}/${runId}-1/parts/0-0`, Buffer.from('part'));
    await sweepRuns(product.services, 0);
    expect(await stored(id)).toEqual([]);

    const again = await owner.call('POST', `${project.address}/gwas/${id}/retry`);
    expect(again.status, again.text).toBe(200);
    await expectSameResults(await settled(id));
  });

  /** `Few` is known for 60 lines and fits into one chunk, so it ends before the chunks of `All` begin. */
  async function fewAndAll(): Promise<string> {
    const [, ...lines] = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n');
    const rows = lines.map((line, place) => {
      const [name = ''] = line.split(',');
      return `${name},${place < 60 ? Math.sin(place) : ''},${Math.cos(place)}`;
    });
    const bytes = `line,Few,All\n${rows.join('\n')}\n`;
    const name = `few ${++count}.csv`;
    return (await product.uploadChecked(owner, project, { name, fileType: 'PHENOTYPE', bytes })).id;
  }

  test('a file deleted after the first chunks ends the rest in a clear error; what was done stays, nothing is half saved', {
    tags: 'whole',
    timeout: 200_000,
  }, async () => {
    const phenotypeId = await fewAndAll();
    const { id } = await create({ phenotype_id: phenotypeId, traits: ['Few', 'All'], fixed: 0 });
    await chunkHasResult(id);
    expect((await read(id)).status).toEqual({ Few: 'SUCCESS', All: 'PROCESSING' });
    const gone = await owner.call('DELETE', `${project.address}/files/${phenotypeId}?cascade=true`);
    expect(gone.status, gone.text).toBe(204);
    const ended = await read(id);
    expect(ended.status).toEqual({ Few: 'SUCCESS', All: 'ERROR' });
    expect(ended.error_extras.All).toMatchObject({
      code: 'models/input-gone',
      message: expect.stringMatching(/deleted/),
    });
    expect(ended.error_extras.All?.action).toBeTruthy();
    expect(ended.result_urls.All).toBeNull();
    await until(
      async () => computeProcesses(),
      (processes) => processes === 0,
    );
    await sweepRuns(product.services, 0);
    expect((await stored(id)).map((key) => key.replace(/^.*\//, ''))).toEqual(
      ['csv', 'image', 'individuals', 'plot', 'qq', 'table'].map((kind) => `0-${kind}`),
    );
    expect(await csvOf(ended, 'Few')).toMatch(/^chr,pos,id/);
  });

  test('when chunks fail, results that the same run has already stored stay', {
    tags: 'whole',
    timeout: 200_000,
  }, async () => {
    const { storage, db } = product.services;
    const phenotypeId = await fewAndAll();
    const { id } = await create({ phenotype_id: phenotypeId, traits: ['Few', 'All'], fixed: 0 });
    await until(
      () => read(id),
      ({ status }) => status.Few === 'SUCCESS',
    );
    // Simulates a disk or bucket that corrupts bytes.
    const file = await db
      .selectFrom('files')
      .select('meta')
      .where('id', '=', maize.genotype.id)
      .executeTakeFirstOrThrow();
    const { keys } = file.meta as { keys: { bed: string } };
    const source = await storage.open(keys.bed);
    const bytes = await source.read(0, source.size);
    await source.close();
    await storage.put(keys.bed, Buffer.concat([Buffer.from([0]), bytes.subarray(1)]));
    const ended = await settled(id);
    expect(ended.status).toEqual({ Few: 'SUCCESS', All: 'ERROR' });
    expect(ended.error_extras.All).toMatchObject({
      code: 'storage/object-damaged',
      action: expect.stringContaining('Check again'),
    });
    expect(await csvOf(ended, 'Few')).toMatch(/^chr,pos,id/);
    await until(
      () => stored(id),
      (left) => left.every((key) => !key.includes('/parts/')),
    );
  });
});
