// What a GWAS says of its hits is the same on the server as on the command line, byte by byte: clumps, tests given
// markers, and tests of what pruning leaves.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createGwasBody, type GwasDetail, type GwasRow, gwasClumps } from '@heterosis/contracts/work/gwas';
import { requestOfRun } from '@heterosis/contracts/work/run-request';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  until,
  uploadMaize,
} from '../src/testing/product.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const INPUTS = ['--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', join(MAIZE, 'phenotypes.csv')];
/** 1,024 markers a chunk. */
const SMALL_CHUNKS = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.01, tileMarkers: 8192 } };

let product: Product;
let owner: Person;
let project: Project;
let maize: MaizeFiles;
let directory: string;
beforeAll(async () => {
  product = await startProduct({ changes: SMALL_CHUNKS });
  owner = await product.person('olga');
  project = await product.project(owner);
  maize = await uploadMaize(product, project);
  directory = await mkdtemp(join(tmpdir(), 'heterosis-hits-'));
});
afterAll(async () => {
  await product?.close();
  await rm(directory, { recursive: true, force: true });
});

const out = (name: string): string => join(directory, name);
const textOf = (name: string): Promise<string> => readFile(out(name), 'utf8');

async function heterosis(...args: string[]) {
  const program = [join(ROOT, 'apps/cli/bin/heterosis.mjs'), ...args];
  return await promisify(execFile)(process.execPath, program, { cwd: directory });
}
const gwasOf = (...args: string[]) => heterosis('gwas', ...INPUTS, '--trait', 'EarHT', '--threads', '1', ...args);

let count = 0;
const body = (changes: object) => ({
  name: `GWAS ${++count}`,
  genotype_id: maize.genotype.id,
  phenotype_id: maize.phenotype.id,
  traits: ['EarHT'],
  ...changes,
});
const post = (path: string, asked: object) => owner.call('POST', `${project.address}/${path}`, asked);

async function settled(changes: object): Promise<GwasDetail> {
  const made = await post('gwas', body(changes));
  expect(made.status, made.text).toBe(201);
  return await until(
    async (): Promise<GwasDetail> => (await owner.call('GET', `${project.address}/gwas/${made.body.id}`)).body,
    ({ status }) => status['EarHT'] !== 'PROCESSING',
  );
}

const csvOf = async (run: GwasDetail): Promise<string> =>
  (await download(product.app, run.result_urls['EarHT'] ?? '')).text;

/** Shows the first lines that differ, not thousands. */
function expectSame(text: string, expected: string): void {
  const [lines, others] = [text.split('\n'), expected.split('\n')];
  const different = lines.flatMap((line, k) => (line === others[k] ? [] : [[line, others[k]]]));
  expect(different.slice(0, 2)).toEqual([]);
  expect(lines).toHaveLength(others.length);
}

test('clumps are those of the command line, in the table, on a page of their own and in the bundle', async () => {
  const clumps = { p1: 0.01, p2: 0.05, r2: 0.3, kb: 500 };
  const asked = ['--clump-p1', '0.01', '--clump-p2', '0.05', '--clump-r2', '0.3', '--clump-kb', '500'];
  await gwasOf(...asked, '--clumps', out('clumps.csv'), '--out', out('plain.csv'));
  const run = await settled({ clumps });
  expect(run.status).toEqual({ EarHT: 'SUCCESS' });
  expect(run.methods).toContain('r² ≥ 0.3 and at most 500 kb');
  expect(run.provenance.parameters.clumps).toEqual(clumps);
  expectSame(await csvOf(run), await textOf('plain.csv'));

  const address = `${project.address}/gwas/${run.id}`;
  const answer = await product.app.inject({
    url: `${address}/bundle`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const zip = await openZip(memorySource(answer.rawPayload));
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.stream('1_EarHT/clumps.csv', 1e9)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe(await textOf('clumps.csv'));

  const found = gwasClumps.parse((await owner.call('GET', `${address}/clumps?trait=EarHT`)).body);
  expect(found.rule).toEqual(clumps);
  expect(found.data).toHaveLength(run.summary['EarHT']?.clumps ?? 0);
  const largest = found.data.reduce((one, other) => (other.members.length > one.members.length ? other : one));
  expect(largest.members.length).toBeGreaterThan(0);
  const rowsOf = async (query: string): Promise<GwasRow[]> =>
    (await owner.call('GET', `${address}/results?trait=EarHT&limit=500&${query}`)).body.data;
  const together = await rowsOf(`clump=${encodeURIComponent(largest.id)}`);
  expect(together.map(({ id }) => id).toSorted()).toEqual(
    [largest.id, ...largest.members.map(({ id }) => id)].toSorted(),
  );
  const rows = await rowsOf('');
  const inClumps = new Map(found.data.flatMap((one) => [one, ...one.members].map(({ id }) => [id, one.id])));
  expect(rows.map(({ clump }) => clump)).toEqual(rows.map(({ id }) => inClumps.get(id) ?? null));
  expect(rows.some(({ clump }) => clump === null)).toBe(true);

  const { body: again } = requestOfRun(createGwasBody, run, 'again');
  expect(again).toMatchObject({ clumps });
});

test('a run without clumps has none to show, and wrong thresholds are refused', { tags: 'whole' }, async () => {
  const run = await settled({ test: 'SCORE' });
  const address = `${project.address}/gwas/${run.id}`;
  const none = await owner.call('GET', `${address}/clumps?trait=EarHT`);
  expect([none.status, none.body.code]).toEqual([409, 'runs/no-result']);
  const { body: page } = await owner.call('GET', `${address}/results?trait=EarHT&limit=1`);
  expect(page.data[0]).not.toHaveProperty('clump');
  expect((await owner.call('GET', `${address}/results?trait=EarHT&clump=x`)).body.data).toEqual([]);
  for (const wrong of [{ p2: 0.9 }, { r2: 2 }, { kb: -1 }, { p: 0.1 }])
    expect((await post('gwas', body({ clumps: wrong }))).status, JSON.stringify(wrong)).toBe(400);
});

test('tests given markers are those of the command line, and say what they are given', { tags: 'whole' }, async () => {
  const first = (await settled({ test: 'WALD' })).summary['EarHT']?.top?.id ?? '';
  const markers = [first, 'PZA03591.1'];
  await gwasOf('--test', 'WALD', '--condition-on', markers.join(), '--out', out('given.csv'));
  const run = await settled({ test: 'WALD', condition_on: [...markers, first] });
  expect(run.condition_on).toEqual(markers);
  expect(run.summary['EarHT']?.conditioned_on).toEqual(markers.map((name) => ({ name, use: 'used' })));
  expect(run.summary['EarHT']).not.toHaveProperty('covariates');
  expect(run.methods).toContain(`${first} and PZA03591.1 were fitted as fixed effects`);
  expect(run.model).toContain(`${first} and PZA03591.1 in X`);
  const csv = await csvOf(run);
  expectSame(csv, await textOf('given.csv'));
  // The markers of the model have no test of their own.
  expect(csv).not.toContain(`,${first},`);
  expect(requestOfRun(createGwasBody, run, 'again').body).toMatchObject({ condition_on: markers });

  const unknown = await post('gwas', body({ condition_on: ['PZA03591.1', 'pza03591.1', 'Nowhere'] }));
  expect([unknown.status, unknown.body.code]).toEqual([400, 'gwas/unknown-condition']);
  expect(unknown.body.details.unknown).toEqual(['pza03591.1', 'Nowhere']);
  const missing = gwasOf('--condition-on', 'pza03591.1', '--out', out('refused.csv'));
  await expect(missing).rejects.toMatchObject({ stderr: expect.stringContaining('Did you mean "PZA03591.1"?') });
});

test('what pruning leaves is what the command line leaves, in a GWAS and in training, and is listed', {
  tags: 'whole',
}, async () => {
  const lists = ['--out', out('kept.txt'), '--pruned', out('pruned.txt')];
  await heterosis('prune', ...INPUTS.slice(0, 2), '--r2', '0.2', '--window', '30', '--step', '3', ...lists);
  const pruned = (await textOf('pruned.txt')).trimEnd().split('\n');
  await gwasOf('--leave-out-markers', out('pruned.txt'), '--out', out('pruned.csv'));
  const exclusions = { ld_pruning: { r2: 0.2, window: 30, step: 3 } };
  const run = await settled({ exclusions });
  expectSame(await csvOf(run), await textOf('pruned.csv'));
  expect(run.provenance.parameters.exclusions).toEqual(exclusions);
  expect(run.left_out?.rules).toEqual([{ rule: 'ld_pruning', limit: 0.2, count: pruned.length }]);
  expect(run.methods).toContain('markers pruned by linkage disequilibrium (r² > 0.2)');
  const listed = (await download(product.app, run.left_out_csv_url ?? '')).text.trimEnd().split('\n').slice(1);
  expect(listed).toEqual(pruned.map((name) => `ld_pruning,0.2,${name}`));

  const usual = ['--leave-out-markers', out('pruned.txt')];
  await gwasOf(...usual, '--prune-r2', '0.1', '--test', 'SCORE', '--out', out('twice.csv'));
  const twice = { markers: pruned, ld_pruning: { r2: 0.1 } };
  expectSame(await csvOf(await settled({ exclusions: twice, test: 'SCORE' })), await textOf('twice.csv'));

  const asked = (name: string, left: object) =>
    post('models', body({ name, n_fold: 2, n_repetition: 1, exclusions: left }));
  const [byRule, byList] = await Promise.all([asked('Rule', exclusions), asked('List', { markers: pruned })]);
  const [model, reference] = await Promise.all(
    [byRule, byList].map(({ body: { id } }) => settledModel(owner, project, id)),
  );
  expect(model?.status).toEqual({ EarHT: 'EVALUATED' });
  expect(model?.evaluation).toEqual(reference?.evaluation);
  const effects = await Promise.all(
    [model, reference].map((one) => download(product.app, one?.marker_effects_csv_urls['EarHT'] ?? '')),
  );
  expect(effects[0]?.text).toBe(effects[1]?.text);
  expect(
    (await post('match', { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id, exclusions })).body.kept
      .is_exact,
  ).toBe(false);
});
