import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { trialCommands } from '@heterosis/contracts/work/trial-commands';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  download,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  startProduct,
  startWorkerProcess,
  until,
} from '../src/testing/product.ts';

/** A flow starts many processes in sequence, which takes long on a busy machine. */
const PATIENCE_MS = 120_000;
const CLI = join(import.meta.dirname, '../../cli/bin/heterosis.mjs');
const run = promisify(execFile);
/** Each trial is a part of its own. */
const ONE_BY_ONE = { CHUNK_GFLOP: '0.001', WORKER_CONCURRENCY: '1', COMPUTE_THREADS: '1' };

let product: Product;
let owner: Person;
let project: Project;
let directory: string;
let bonn: string;
let both: string;
const workers: ChildProcess[] = [];

/** 20 lines in three replicates of a field of 6 × 10 a place, with a trend along the columns. */
function plots(
  places: readonly string[],
  change: (cells: string[], plot: number) => string[] = (cells) => cells,
): string {
  const random = createRandomStream(11, 'plots');
  const normal = (): number => random.normal();
  const effects = Array.from({ length: 20 }, normal);
  const rows = places.flatMap((place) =>
    Array.from({ length: 60 }, (_, i) => {
      const [row, column] = [i % 6, Math.floor(i / 6)];
      const line = (i * 7 + Math.floor(i / 20) * 3) % 20;
      const value = 50 + 2 * (effects[line] ?? 0) + column + normal();
      const cells = [
        place,
        `L${line}`,
        Math.floor(i / 20) + 1,
        row + 1,
        column + 1,
        value.toFixed(2),
        normal().toFixed(3),
      ];
      return change(cells.map(String), i).join();
    }),
  );
  return `environment,line,rep,row,column,Yield (dt/ha),Height\n${rows.join('\n')}\n`;
}

const upload = async (name: string, bytes: string): Promise<string> =>
  (await product.uploadChecked(owner, project, { name, fileType: 'PHENOTYPE', bytes })).id;

beforeAll(async () => {
  product = await startProduct({
    changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.001, tileMarkers: 8192 } },
  });
  owner = await product.person('olga');
  project = await product.project(owner);
  directory = await mkdtemp(join(tmpdir(), 'heterosis-trials-'));
  await writeFile(join(directory, 'both.csv'), plots(['Bonn', 'Kiel', 'Ulm']));
  both = await upload('both.csv', plots(['Bonn', 'Kiel', 'Ulm']));
  bonn = await upload('bonn.csv', plots(['Bonn']));
}, PATIENCE_MS);
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await product.close();
  await rm(directory, { recursive: true, force: true });
});

/** The environment of commands, with `heterosis` among them. */
async function withHeterosis(): Promise<NodeJS.ProcessEnv> {
  const content = `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@" --threads 1\n`;
  await writeFile(join(directory, 'heterosis'), content, { mode: 0o755 });
  return { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` };
}

const analyses = () => `${project.address}/trial_analyses`;
const get = async (address: string) => {
  const answer = await owner.call('GET', `${analyses()}/${address}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
let count = 0;
async function create(changes: object = {}): Promise<string> {
  const body = { name: `Trials ${++count}`, phenotype_ids: [both], traits: ['Yield'], ...changes };
  const made = await owner.call('POST', analyses(), body);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}
const settled = (id: string): Promise<TrialAnalysisDetail> =>
  until(
    () => get(id),
    ({ status }: TrialAnalysisDetail) => Object.values(status).every((one) => one !== 'PROCESSING'),
    PATIENCE_MS,
  );

test('an analysis has the files of the command line, to the byte, and pages that agree with them', {
  timeout: PATIENCE_MS,
}, async () => {
  const done = await settled(await create({ traits: ['Yield', 'Height'], model: 'rowcol', structure: 'cs' }));
  expect(done.error_extras).toEqual({ Yield: null, Height: null });
  // By the commands that the page hands out.
  await writeFile(join(directory, 'commands.sh'), trialCommands(done));
  await run('sh', ['commands.sh'], { cwd: directory, env: await withHeterosis() });
  const file = (name: string): string => join(directory, `Yield_${name}`);
  const urls = {
    'means.csv': done.means_urls,
    'covariance.csv': done.covariance_urls,
    'plots.csv': done.plots_urls,
    'trial.json': done.report_urls,
    'series.csv': done.series_urls,
    'series.json': done.series_report_urls,
  };
  for (const [name, byTrait] of Object.entries(urls)) {
    const { text } = await download(product.app, byTrait['Yield'] ?? '');
    expect(text === (await readFile(file(name), 'utf8')), name).toBe(true);
  }
  const { trials } = JSON.parse(await readFile(file('trial.json'), 'utf8'));

  const id = done.id;
  const strips = (await get(`${id}/trials?trait=Yield`)).data;
  expect(strips.map(({ environment }: { environment: string }) => environment)).toEqual(['Bonn', 'Kiel', 'Ulm']);
  expect(strips[1]).toMatchObject({
    ...{ state: 'ANALYSED', model: 'rowcol', chosen_by: 'request', plots: 60, lines: 20, set_aside: 0 },
    ...{ log_likelihood: trials[1].log_likelihood, h2: trials[1].h2, variances: trials[1].variances },
  });
  expect(strips[1].mean_sed).toBeGreaterThan(0);
  const field = await get(`${id}/plots?trait=Yield&environment=Kiel`);
  expect(field).toMatchObject({ total: 60, has_field: true, unit: 'dt/ha' });
  const columns = Object.entries(field).filter(([, values]) => Array.isArray(values));
  expect(new Set(columns.map(([, values]) => (values as unknown[]).length))).toEqual(new Set([60]));
  expect(field.fitted[7] + field.residual[7]).toBeCloseTo(field.value[7], 9);
  const variogram = await get(`${id}/variogram?trait=Yield&environment=Kiel`);
  expect(variogram).toMatchObject({ reason: null, rows: 4, columns: 6 });
  // Neighbours in a row of 6 × 10 plots, by hand.
  const at = new Map<string, number>(
    field.row.map((row: number, i: number) => [`${row} ${field.column[i]}`, field.residual[i]]),
  );
  const squares = field.row.flatMap((row: number, i: number) => {
    const other = at.get(`${row} ${field.column[i] + 1}`);
    return other === undefined ? [] : [(field.residual[i] - other) ** 2];
  });
  expect(variogram.pairs[1]).toBe(54);
  expect(variogram.semivariance[1]).toBeCloseTo(squares.reduce((a: number, b: number) => a + b, 0) / 108, 12);

  const means = await get(`${id}/means?trait=Yield&environment=Ulm&sort=-mean&limit=3`);
  expect(means).toMatchObject({ total: 20, mean_sed: strips[2].mean_sed });
  expect(means.data).toHaveLength(3);
  expect(means.data[0].mean).toBeGreaterThan(means.data[2].mean);
  const next = await get(`${id}/means?trait=Yield&environment=Ulm&sort=-mean&limit=3&cursor=${means.next_cursor}`);
  expect(next.data[0].mean).toBeLessThan(means.data[2].mean);
  expect((await get(`${id}/means?trait=Yield&search=l1`)).total).toBe(33);
  const line = await get(`${id}/lines/L3?trait=Yield`);
  expect(line.environments).toHaveLength(3);
  const series = await get(`${id}/series?trait=Yield`);
  expect(series).toMatchObject({ structure: 'cs', unit: 'dt/ha' });
  expect(series.environments.toSorted()).toEqual(['Bonn', 'Kiel', 'Ulm']);
  expect(series.tree).toHaveLength(2);
  expect(line.overall.value).toBe(series.lines.overall[series.lines.line.indexOf('L3')]);
  expect(done.summary['Yield']).toMatchObject({ environments: 3, left_out: 0, plots: 180, lines: 20, structure: 'cs' });
  expect(done.summary['Yield']?.sentence).toMatch(
    /^Yield: H² 0\.\d\d–0\.\d\d \(Cullis\) in 3 trials; rows and columns; all together: compound symmetry/,
  );

  const made = await owner.call('POST', `${analyses()}/${id}/phenotype`, { name: 'Means.csv' });
  expect(made.status, made.text).toBe(201);
  const phenotype = await until(
    async () => (await owner.call('GET', `${project.address}/files/${made.body.id}`)).body,
    ({ status }: { status: string; meta: { traits: string[] }; row_count: number }) =>
      status.startsWith('READY') || status === 'INVALID',
    PATIENCE_MS,
  );
  const problems = await owner.call('GET', `${project.address}/files/${made.body.id}/problems`);
  expect(phenotype, problems.text).toMatchObject({ status: expect.stringMatching(/^READY/), row_count: 20 });
  expect(phenotype.meta.traits).toEqual(['Yield', 'Yield SE for weights', 'Height', 'Height SE for weights']);
});

test('the commands of an analysis of several files write its tables, to the byte', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const folder = await mkdtemp(join(directory, 'several-'));
  const bytes = plots(['Kiel', 'Ulm'], (cells, plot) =>
    plot === 5 ? [...cells.slice(0, 5), '', ...cells.slice(6)] : cells,
  );
  const others = await upload("Kiel's plots.csv", bytes);
  await writeFile(join(folder, "Kiel's plots.csv"), bytes);
  await writeFile(join(folder, 'bonn.csv'), plots(['Bonn']));
  const done = await settled(await create({ phenotype_ids: [bonn, others], structure: 'diag', checks: ['L3'] }));
  expect(done.error_extras).toEqual({ Yield: null });
  await writeFile(join(folder, 'commands.sh'), trialCommands(done));
  await run('sh', ['commands.sh'], { cwd: folder, env: await withHeterosis() });
  const urls = {
    'means.csv': done.means_urls,
    'covariance.csv': done.covariance_urls,
    'plots.csv': done.plots_urls,
    'series.csv': done.series_urls,
    'series.json': done.series_report_urls,
  };
  for (const [name, byTrait] of Object.entries(urls)) {
    const { text } = await download(product.app, byTrait['Yield'] ?? '');
    expect(text === (await readFile(join(folder, `Yield_${name}`), 'utf8')), name).toBe(true);
  }
});

test('plots set aside and other models for single trials count, and both are told', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const reason = 'Deer';
  const id = await create({
    ...{ model: 'blocks', structure: 'none', environments: ['Bonn', 'Kiel'] },
    overrides: [{ environment: 'Kiel', trait: 'Yield', model: 'rowcol' }],
    set_aside: [{ environment: 'Kiel', row: 2, column: 3, reason }],
  });
  const done = await settled(id);
  const folder = await mkdtemp(join(directory, 'changed-'));
  const line = (await get(`${id}/plots?trait=Yield&environment=Kiel`)).file_line;
  const byLine = await settled(
    await create({
      ...{ model: 'blocks', structure: 'none', environments: ['Bonn', 'Kiel'] },
      overrides: [{ environment: 'Kiel', trait: 'Yield', model: 'rowcol' }],
      set_aside: [{ environment: 'Kiel', file_line: line[13], reason }],
    }),
  );
  await writeFile(join(folder, 'both.csv'), plots(['Bonn', 'Kiel', 'Ulm']));
  await writeFile(join(folder, 'commands.sh'), trialCommands(byLine));
  await run('sh', ['commands.sh'], { cwd: folder, env: await withHeterosis() });
  for (const [name, byTrait] of [
    ['means.csv', byLine.means_urls],
    ['plots.csv', byLine.plots_urls],
    ['trial.json', byLine.report_urls],
  ] as const) {
    const { text } = await download(product.app, byTrait['Yield'] ?? '');
    expect(text === (await readFile(join(folder, `Yield_${name}`), 'utf8')), name).toBe(true);
  }
  const strips = (await get(`${id}/trials?trait=Yield`)).data;
  expect(strips).toMatchObject([
    { environment: 'Bonn', model: 'blocks', chosen_by: 'request', plots: 60, set_aside: 0 },
    { environment: 'Kiel', model: 'rowcol', chosen_by: 'override', plots: 59, set_aside: 1 },
  ]);
  const field = await get(`${id}/plots?trait=Yield&environment=Kiel`);
  const place = field.set_aside.findIndex((one: string | null) => one === reason);
  expect([field.row[place], field.column[place], field.fitted[place]]).toEqual([2, 3, null]);
  expect(field.value[place]).toBeGreaterThan(0);
  expect(done.methods).toContain('For Yield in Kiel it was rows and columns.');
  expect(done.methods).toContain('(Deer)');
  expect((await owner.call('GET', `${analyses()}/${id}/series?trait=Yield`)).status).toBe(409);
});

test('what is wrong with plots ends the run with a code, the plots and what to do', {
  timeout: PATIENCE_MS,
}, async () => {
  const twice = await upload(
    'twice.csv',
    plots(['Ulm'], (cells, i) => (i === 8 ? cells.with(3, '4') : cells)),
  );
  const constant = await upload(
    'constant.csv',
    plots(['Ulm'], (cells) => cells.with(5, '7')),
  );
  const cases: [object, string, RegExp][] = [
    [{ phenotype_ids: [twice] }, 'trials/place', /both stand in row 4, column 2/],
    [{ phenotype_ids: [constant] }, 'trials/constant', /All 60 plots of Ulm have the value 7/],
    [{ phenotype_ids: [both, bonn] }, 'trials/same-environment', /"both\.csv" and "bonn\.csv" both/],
    [{ environments: ['Rome'] }, 'trials/unknown-environment', /no environment "Rome"/],
    [{ set_aside: [{ environment: 'Ulm', row: 9, column: 9, reason: 'x' }] }, 'trials/unknown-plot', /row 9, column 9/],
    [{ random: ['replicate:bed'] }, 'trials/unknown-column', /no column "bed"/],
  ];
  const ids = await Promise.all(cases.map(([changes]) => create(changes)));
  for (const [i, [, code, message]] of cases.entries()) {
    const { error_extras, summary } = await settled(ids[i] ?? '');
    expect(error_extras['Yield']).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error_extras['Yield']?.['action']).not.toBe('');
    expect(summary['Yield']).toBeNull();
  }
  const refused = await owner.call('POST', analyses(), {
    ...{ name: 'Dominance', phenotype_ids: [both], traits: ['Yield'], dominance: true },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 'request/invalid' } });
});

test('files count as inputs, and an analysis whose worker is killed is finished by another with the same bytes', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const body = { phenotype_ids: [both], traits: ['Yield'], structure: 'diag' };
  const first = await settled(await create(body));
  await product.stopWorker();
  const worker = startWorkerProcess(product, ONE_BY_ONE);
  workers.push(worker);
  const id = await create(body);
  const { db } = product.services;
  await until(
    () => db.selectFrom('runs').select(['state']).where('entity_id', '=', id).execute(),
    (runs) => runs.some(({ state }) => state === 'RUNNING'),
    PATIENCE_MS,
  );
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await missHeartbeats(product);
  workers.push(startWorkerProcess(product, ONE_BY_ONE));
  const second = await settled(id);
  for (const urls of ['means_urls', 'covariance_urls', 'plots_urls', 'report_urls', 'series_urls'] as const) {
    const [one, other] = await Promise.all(
      [first, second].map(async (done) => (await download(product.app, done[urls]['Yield'] ?? '')).text),
    );
    expect(one === other, urls).toBe(true);
  }
  const usage = await owner.call('GET', `${project.address}/files/${both}/usage`);
  expect(usage.body.data.map((one: { id: string }) => one.id)).toContain(id);
  const listed = await owner.call('GET', `${analyses()}?phenotype_id=${bonn}`);
  const inputs: string[][] = listed.body.data.map((one: { phenotype_ids: string[] }) => one.phenotype_ids);
  expect(inputs).toContainEqual([both, bonn]);
  expect(inputs.every((files) => files.includes(bonn))).toBe(true);
});
