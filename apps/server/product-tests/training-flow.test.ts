import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import {
  download,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  until,
} from '../src/testing/product.ts';
import { expectForwardProgress, watchProgress } from '../src/testing/watched-progress.ts';
import { startWatchedWorker, type WatchedWorker } from '../src/testing/watched-worker.ts';

// A training whose products of markers are computed in tiles by several workers.

/** A flow starts many processes in sequence, which takes long on a busy machine. */
const PATIENCE_MS = 180_000;
/** Enough to be computed from the markers. */
const LINES = 1_100;
const MARKERS = 240;
/** Three blocks of markers: six tiles for the lines of each of two traits. */
const IN_TILES = { TILE_MARKERS: '80', CHUNK_GFLOP: '0.001' };
const TILES = 12;

let product: Product;
let owner: Person;
let project: Project;
let files: { genotype_id: string; phenotype_id: string };
let inOnePiece: ModelDetail;
/** Without some lines and markers. */
let someInOnePiece: ModelDetail;
const EXCLUSIONS = {
  exclusions: { samples: ['L3', 'L500', 'L1099'], markers: ['m0', 'm100', 'm239'], max_sample_heterozygosity: 0.56 },
};
const workers: ChildProcess[] = [];

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
  const upload = async (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string): Promise<string> =>
    (await product.uploadChecked(owner, project, { name, fileType, bytes })).id;
  files = {
    genotype_id: await upload('lines.vcf', 'GENOTYPE', vcf()),
    phenotype_id: await upload('lines.csv', 'PHENOTYPE', phenotypes()),
  };
  await watchProgress(product);
  inOnePiece = await settledModel(owner, project, (await create()).id);
  someInOnePiece = await settledModel(owner, project, (await create(EXCLUSIONS)).id);
  const { samples_kept = 0, markers_kept } = someInOnePiece.left_out ?? {};
  expect([samples_kept > 1000 && samples_kept < LINES - 3, markers_kept]).toEqual([true, MARKERS - 3]);
  expect(inOnePiece.status).toEqual({ All: 'EVALUATED', Some: 'EVALUATED' });
  expect(inOnePiece.fit['All']?.engine?.name).toBe('markers');
  expect((await runOf(inOnePiece.id)).jobs).toHaveLength(1);
  await product.stopWorker();
}, PATIENCE_MS);
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await product.close();
});

/** Equally distributed over 0 … 1, and the same every time. */
const scattered = (i: number, j: number): number =>
  Math.abs(Math.sin(12.9898 * (i + 1) + 78.233 * (j + 1)) * 43_758.5) % 1;
const dosage = (line: number, marker: number): number =>
  Number(scattered(line, marker) < 0.5) + Number(scattered(line + LINES, marker) < 0.3);

function vcf(): string {
  const lines = Array.from({ length: LINES }, (_, i) => `L${i}`);
  const rows = Array.from({ length: MARKERS }, (_, j) => {
    const calls = lines.map((_, i) => ['0/0', '0/1', '1/1'][dosage(i, j)]);
    return [1 + (j % 5), 1000 * (j + 1), `m${j}`, 'A', 'G', '.', '.', '.', 'GT', ...calls].join('\t');
  });
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...lines].join('\t');
  return `##fileformat=VCFv4.2\n${head}\n${rows.join('\n')}\n`;
}

function phenotypes(): string {
  const rows = Array.from({ length: LINES }, (_, i) => {
    const value = Array.from({ length: 20 }, (_, j) => Math.cos(j) * dosage(i, 12 * j)).reduce((sum, one) => sum + one);
    const noisy = value + 3 * scattered(i, MARKERS + 1);
    return `L${i},${noisy.toFixed(4)},${i % 9 === 4 ? '' : (value - scattered(i, MARKERS + 2)).toFixed(4)}`;
  });
  return `line,All,Some\n${rows.join('\n')}\n`;
}

let count = 0;
async function create(changes: object = {}): Promise<ModelDetail> {
  const made = await owner.call('POST', `${project.address}/models`, {
    ...files,
    name: `Model ${++count}`,
    traits: ['All', 'Some'],
    fixed: 1,
    n_fold: 2,
    n_repetition: 1,
    ...changes,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

function startWorker(): WatchedWorker {
  const worker = startWatchedWorker(product, 'multiply-markers', IN_TILES);
  workers.push(worker.child);
  return worker;
}
async function stop({ child }: WatchedWorker): Promise<void> {
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

async function expectSameBytes(model: ModelDetail, expected = inOnePiece): Promise<void> {
  expect(model.status).toEqual(expected.status);
  expect(model.variance).toEqual(expected.variance);
  expect(model.left_out).toEqual(expected.left_out);
  const links = ({ spec_urls, marker_effects_csv_urls, gebv_csv_urls, folds_csv_urls }: ModelDetail) =>
    [spec_urls, marker_effects_csv_urls, gebv_csv_urls, folds_csv_urls].flatMap((urls) =>
      model.traits.map((trait) => urls[trait] ?? ''),
    );
  const [own, others] = [links(model), links(expected)];
  for (const [k, url] of own.entries()) {
    const got = await download(product.app, url);
    expect(got.status).toBe(200);
    expect(got.text === (await download(product.app, others[k] ?? '')).text, url).toBe(true);
  }
}

/** Keys that trainings have left for their parts. */
async function stored(modelId: string): Promise<string[]> {
  const keys: string[] = [];
  const prefix = `projects/${project.projectId}/models/${modelId}/`;
  for await (const { key } of product.services.storage.list(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}
const parts = async (modelId: string): Promise<string[]> =>
  (await stored(modelId)).filter((key) => key.includes('/parts/'));

const runOf = (modelId: string) =>
  product.services.db
    .selectFrom('runs')
    .select(['id', 'state', 'attempt', 'jobs'])
    .where('entity_id', '=', modelId)
    .where('step', '=', 'train')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

async function stateOf(job: string | undefined): Promise<string | undefined> {
  if (job === undefined) return undefined;
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where id = ${job}`.execute(
    product.services.db,
  );
  return rows[0]?.state;
}

const expectTiles = async (modelId: string): Promise<void> => {
  const { totals } = await expectForwardProgress(product, { entityId: modelId, step: 'train', partsStage: 'kinship' });
  expect(totals).toEqual([TILES]);
};

test('one worker computes all tiles, and the model has the bytes of a training in one piece', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const worker = startWorker();
  const { id } = await create();
  const model = await settledModel(owner, project, id);
  expect(new Set(worker.ended)).toHaveProperty('size', TILES);
  await expectSameBytes(model);
  await expectTiles(id);
  await until(
    () => parts(id),
    (keys) => keys.length === 0,
  );
  const { id: some } = await create(EXCLUSIONS);
  await expectSameBytes(await settledModel(owner, project, some), someInOnePiece);
  expect(new Set(worker.ended)).toHaveProperty('size', 2 * TILES);
  await stop(worker);
});

test('of three workers one is killed in the middle of a tile: another computes it, and the bytes are the same', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const [first, ...others] = [startWorker(), startWorker(), startWorker()];
  if (first === undefined) throw new TypeError('no worker');
  const { id } = await create();
  const interrupted = await until(
    async () => {
      if (first.begun.length === first.ended.length) return undefined;
      first.child.kill('SIGSTOP');
      const job = first.begun.at(-1);
      if ((await stateOf(job)) === 'active') return job;
      first.child.kill('SIGCONT');
      return undefined;
    },
    (job) => job !== undefined,
    PATIENCE_MS,
  );
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await missHeartbeats(product, interrupted);
  const model = await settledModel(owner, project, id);
  expect(others.flatMap(({ ended }) => ended)).toContain(interrupted);
  expect(new Set([first, ...others].flatMap(({ ended }) => ended))).toHaveProperty('size', TILES);
  expect(others.every(({ ended }) => ended.length > 0)).toBe(true);
  expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', attempt: 1 });
  await expectSameBytes(model);
  await expectTiles(id);
  for (const worker of others) await stop(worker);
});

const tileIsStored = (modelId: string): Promise<string[]> =>
  until(
    () => parts(modelId),
    (keys) => keys.some((key) => /\/parts\/\d+-\d+-\d+$/.test(key)),
    PATIENCE_MS,
  );

/** No job of the run begins any more. */
async function expectStopped(modelId: string): Promise<string> {
  const run = await runOf(modelId);
  expect(run.state).toBe('CANCELLED');
  const jobs = run.jobs as { id: string }[];
  expect(jobs).toHaveLength(1 + TILES + 1);
  const states = await Promise.all(jobs.map((job) => stateOf(job.id)));
  expect(states.every((state) => state === 'completed' || state === 'cancelled')).toBe(true);
  expect(states.at(-1)).toBe('cancelled');
  return run.id;
}

test('a deletion or a cancel reaches the tiles and the job that waits for them, and nothing is left behind', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const worker = startWorker();
  const { id: deleted } = await create();
  await tileIsStored(deleted);
  expect((await owner.call('DELETE', `${project.address}/models/${deleted}`)).status).toBe(204);
  await expectStopped(deleted);

  const { id } = await create();
  await tileIsStored(id);
  const cancelled = await owner.call('POST', `${project.address}/models/${id}/cancel`);
  expect(cancelled.body.status).toEqual({ All: 'ERROR', Some: 'ERROR' });
  const runId = await expectStopped(id);
  await stop(worker);
  // As left by a worker that was killed before it could clean up.
  await product.services.storage.put(
    `projects/${project.projectId}/models/${id}/${runId}-1/parts/0-1-0`,
    Buffer.from('tile'),
  );
  await sweepRuns(product.services, 0);
  expect([...(await stored(id)), ...(await stored(deleted))]).toEqual([]);

  const again = startWorker();
  expect((await owner.call('POST', `${project.address}/models/${id}/retry`)).status).toBe(200);
  await expectSameBytes(await settledModel(owner, project, id));
  await stop(again);
});
