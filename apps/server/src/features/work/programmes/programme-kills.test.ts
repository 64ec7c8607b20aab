import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optimiseProgramme } from '@heterosis/analysis/programmes/optimise-programme';
import { allocationsCsv, optimumReport, stepsCsv } from '@heterosis/analysis/programmes/optimum-report';
import { programmeCsv, replicatesCsv } from '@heterosis/analysis/programmes/programme-csv';
import { readProgrammeFiles } from '@heterosis/analysis/programmes/read-programme-files';
import { runProgramme } from '@heterosis/analysis/programmes/run-programme';
import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { programmeSearch, simulatedSchemes } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  download,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  startProduct,
  until,
} from '../../../testing/product.ts';
import { startWatchedWorker, type WatchedWorker } from '../../../testing/watched-worker.ts';
import { openSearch } from './open-search.ts';
import { ARCHITECTURE, dh, panel } from './programmes.test-data.ts';

const PATIENCE_MS = 180_000;
const SEED = 8;
const REPLICATES = 24;
/** A part takes longer than to see that it has begun. */
const SCHEMES = [dh('Small', 60), dh('Large', 400)];
const SEARCH = {
  budget: 30_000,
  numbers: [
    { name: 'Parents', paths: ['start.2.count', 'cycle.4.count'], min: 2, max: 12 },
    { name: 'Lines', paths: ['cycle.1.lines'], min: 20, max: 200 },
  ],
  gain: { stage: 'dh', quantity: 'mean_gv1' },
  evaluations: 24,
  replicates: 2,
};

let product: Product;
let owner: Person;
let project: Project;
let genotype: string;
const workers: WatchedWorker[] = [];
const address = () => `${project.address}/programmes`;

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
  const file = { name: 'lines.vcf', fileType: 'GENOTYPE' as const, bytes: panel().vcf };
  genotype = (await product.uploadChecked(owner, project, file)).id;
  await product.stopWorker();
});
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await product.close();
});

const startWorker = (): WatchedWorker => {
  const worker = startWatchedWorker(product, 'simulate-replicates', {});
  workers.push(worker);
  return worker;
};
const killAll = async (): Promise<void> => {
  for (const { child } of workers.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

let count = 0;
async function begin(more: object): Promise<string> {
  const made = await owner.call('POST', address(), {
    ...{ name: `Run ${++count}`, genotype_id: genotype, architecture: ARCHITECTURE, seed: SEED },
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}
const settled = async (id: string): Promise<ProgrammeDetail> => {
  const detail: ProgrammeDetail = await until(
    async () => (await owner.call('GET', `${address()}/${id}`)).body,
    ({ status }) => status !== 'PROCESSING',
    PATIENCE_MS,
  );
  expect(detail.error_extra).toBeNull();
  return detail;
};

/** All bytes of the results. */
async function bytesOf(detail: ProgrammeDetail): Promise<string[]> {
  const { result_urls, replicates_urls, allocations_url, steps_url } = detail;
  const urls = [...result_urls, ...replicates_urls, allocations_url, steps_url].filter((url) => url !== null);
  expect(urls.length).toBeGreaterThan(1);
  return await Promise.all(urls.map(async (url) => (await download(product.app, url)).text));
}

/** Waits until a worker is in the middle of a part, and kills that worker or what computes for it. */
async function kill(what: 'worker' | 'compute'): Promise<void> {
  const busy = await until(
    async () => workers.find(({ child, begun, ended }) => child.signalCode === null && begun.length > ended.length),
    (found) => found !== undefined,
    PATIENCE_MS,
  );
  const interrupted = busy?.begun.at(-1) ?? '';
  const pid = busy?.child.pid;
  if (what === 'worker') {
    busy?.child.kill('SIGKILL');
    await once(busy?.child ?? process, 'exit');
    expect(busy?.ended).not.toContain(interrupted);
    await missHeartbeats(product, interrupted);
    return;
  }
  const children = await until(
    async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean),
    (found) => found.length > 0,
    PATIENCE_MS,
  );
  for (const child of children) process.kill(Number(child), 'SIGKILL');
}

const attemptsOf = (id: string) =>
  product.services.db.selectFrom('runs').select(['state', 'attempt']).where('entity_id', '=', id).execute();

/** Founders of a run in the folder that its bundle is unpacked into. */
async function withBundle<Result>(id: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'programme-flow-'));
  try {
    const headers = { authorization: `Bearer ${owner.token}` };
    const answer = await product.app.inject({ url: `${address()}/${id}/bundle`, headers });
    const zip = await openZip(memorySource(answer.rawPayload));
    for (const name of zip.names) await writeFile(join(folder, name), zip.stream(name, 1e8));
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
const materialOf = (folder: string) =>
  readProgrammeFiles({ haplotypes: join(folder, 'haplotypes.csv'), map: join(folder, 'map.csv') }, { threads: 1 });
const joined = (chunks: Iterable<string>): string => [...chunks].join('');

async function simulate(
  folder: string,
  threads: number,
  schemes: readonly ProgrammeScheme[],
  replicates: number,
): Promise<string[]> {
  const material = await materialOf(folder);
  const runs = [];
  for (const scheme of schemes)
    runs.push(await runProgramme({ material, scheme, seed: SEED, truth: ARCHITECTURE }, replicates, { threads }));
  return [...runs.map(({ rows }) => joined(programmeCsv(rows))), ...runs.map((run) => joined(replicatesCsv(run)))];
}

/** Of the best numbers of a search. */
const OF_BEST = 12;

const KINDS = {
  replicates: {
    body: { schemes: SCHEMES, replicates: REPLICATES },
    library: (folder: string, threads: number) => simulate(folder, threads, SCHEMES, REPLICATES),
  },
  search: {
    body: { schemes: SCHEMES.slice(0, 1), optimise: SEARCH, replicates: OF_BEST },
    async library(folder: string, threads: number): Promise<string[]> {
      const material = await materialOf(folder);
      const [scheme = dh('Small', 60)] = SCHEMES;
      const search = programmeSearch.parse(SEARCH);
      const input = openSearch({ scheme, search, founders: material.founderNames.length, seed: SEED });
      const found = await optimiseProgramme({ material, seed: SEED, truth: ARCHITECTURE }, input, { threads });
      const names = SEARCH.numbers.map(({ name }) => name);
      const report = optimumReport(input, names, found, found.evaluations.length);
      const schemes = simulatedSchemes({ schemes: [scheme], optimise: search }, report.allocations[0]?.numbers);
      const simulated = await simulate(folder, threads, schemes, OF_BEST);
      return [...simulated, joined(allocationsCsv(report)), joined(stepsCsv(report))];
    },
  },
};

test.each(['replicates', 'search'] as const)(
  '%s have the same bytes on one and four workers, killed, cancelled and in the library',
  {
    tags: 'whole',
    timeout: 900_000,
  },
  async (kind) => {
    const { body, library } = KINDS[kind];
    await killAll();
    await product.startWorker();
    const alone = await settled(await begin(body));
    const bytes = await bytesOf(alone);
    await product.stopWorker();

    for (let w = 0; w < 4; w++) startWorker();
    const killed = await begin(body);
    await kill('worker');
    expect(await bytesOf(await settled(killed))).toEqual(bytes);
    // What was computed before the kill was not computed again by another attempt.
    expect(await attemptsOf(killed)).toEqual([{ state: 'SUCCEEDED', attempt: 1 }]);

    const crashed = await begin(body);
    await kill('compute');
    expect(await bytesOf(await settled(crashed))).toEqual(bytes);

    const cancelled = await begin(body);
    const table = kind === 'search' ? 'programme_evaluations' : 'programme_replicates';
    const stored = () =>
      product.services.db.selectFrom(table).selectAll().where('programme_id', '=', cancelled).execute();
    await until(stored, (rows) => rows.length > 0, PATIENCE_MS);
    await owner.call('POST', `${address()}/${cancelled}/cancel`);
    expect((await stored()).length).toBeGreaterThan(0);
    await owner.call('POST', `${address()}/${cancelled}/retry`);
    expect(await bytesOf(await settled(cancelled))).toEqual(bytes);

    await withBundle(alone.id, async (folder) => {
      for (const threads of [1, 4]) expect(await library(folder, threads)).toEqual(bytes);
    });
  },
);
