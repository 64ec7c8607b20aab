import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStoredKeys } from '../src/features/operation/backup/stored-keys.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  sendTable,
  settledFile,
  settledModel,
  startProduct,
  until,
} from '../src/testing/product.ts';

const PATIENCE_MS = 180_000;
const CLI = join(import.meta.dirname, '../../cli/bin/heterosis.mjs');
const LINES = 40;
const TRAITS = ['Yield', 'Height'];

let product: Product;
let owner: Person;
let project: Project;
let directory: string;
let genotype: FileDetail;
let plots: FileDetail;
/** The trial analysis, and the file made of all its means. */
let analysis: string;
let means: FileDetail;

const heterosis = async (...given: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [CLI, ...given, '--threads', '1', '--json'])).stdout;
const file = (name: string): string => join(directory, name);
const post = (path: string, body: object) => owner.call('POST', `${project.address}/${path}`, body);
const get = async (path: string) => {
  const answer = await owner.call('GET', `${project.address}/${path}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

/** 40 lines of two alleles a marker, with a trait of some of them, in two replicates of two fields with a trend. */
function makeInputs(): { vcf: string; csv: string } {
  const random = createRandomStream(5, 'weights of means');
  const calls = Array.from({ length: 120 }, () =>
    Array.from({ length: LINES }, () => Math.floor(3 * random.uniform())),
  );
  const names = Array.from({ length: LINES }, (_, i) => `L${i + 1}`);
  const rows = calls.map((own, j) => {
    const cells = own.map((call) => ['0/0', '0/1', '1/1'][call]);
    return ['1', 1000 * (j + 1), `m${j + 1}`, 'A', 'G', '.', '.', '.', 'GT', ...cells].join('\t');
  });
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
  const value = (i: number) => calls.slice(0, 20).reduce((sum, own) => sum + (own[i] ?? 0), 0);
  const plots = ['Bonn', 'Kiel'].flatMap((place) =>
    Array.from({ length: 2 * LINES }, (_, plot) => {
      const [row, column] = [plot % 8, Math.floor(plot / 8)];
      const i = (plot * 7 + Math.floor(plot / LINES) * 3) % LINES;
      // A line that only one of the fields has.
      if (place === 'Kiel' && i === 3) return [];
      const y = 50 + value(i) + 2 * column + 3 * random.normal();
      return [[place, `L${i + 1}`, row + 1, column + 1, y.toFixed(2), (y / 3 + random.normal()).toFixed(2)].join()];
    }).flat(),
  );
  return {
    vcf: `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="G">\n${[head, ...rows].join('\n')}\n`,
    csv: `environment,line,row,column,Yield (dt/ha),Height\n${plots.join('\n')}\n`,
  };
}

beforeAll(async () => {
  product = await startProduct({
    // As many threads as the command line has.
    changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: 1, tileMarkers: 8192 } },
  });
  owner = await product.person('olga');
  project = await product.project(owner);
  directory = await mkdtemp(join(tmpdir(), 'heterosis-weights-'));
  const { vcf, csv } = makeInputs();
  await writeFile(file('lines.vcf'), vcf);
  await writeFile(file('plots.csv'), csv);
  genotype = await product.uploadChecked(owner, project, { name: 'lines.vcf', fileType: 'GENOTYPE', bytes: vcf });
  plots = await product.uploadChecked(owner, project, { name: 'plots.csv', fileType: 'PHENOTYPE', bytes: csv });
  const body = { name: 'Trials', phenotype_ids: [plots.id], traits: TRAITS, model: 'rowcol', structure: 'none' };
  analysis = (await post('trial_analyses', body)).body.id;
  await until(
    async () => (await get(`trial_analyses/${analysis}`)).body.status,
    (status: Record<string, string>) => Object.values(status).every((one) => one === 'SUCCESS'),
    PATIENCE_MS,
  );
  means = await makeMeans({ name: 'Means.csv' });
}, PATIENCE_MS);
afterAll(async () => {
  await product.close();
  await rm(directory, { recursive: true, force: true });
});

async function makeMeans(body: object): Promise<FileDetail> {
  const made = await post(`trial_analyses/${analysis}/phenotype`, body);
  expect(made.status, made.text).toBe(201);
  return await settledFile(owner, project, made.body.id);
}

const numberOrText = (cell: string): number | string =>
  cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell);

/** Sums of other order than on the command line: the search for variances ends at a score of 1e-11. */
const ROUNDING = 1e-9;

/** The same names, texts and lengths, and numbers to {@link ROUNDING}. */
function expectSame(one: unknown, other: unknown, path = ''): void {
  if (typeof one === 'number' && typeof other === 'number')
    expect(Math.abs(one - other), path).toBeLessThanOrEqual(ROUNDING * Math.max(1, Math.abs(other)));
  else if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
    expect(Object.keys(one), path).toEqual(Object.keys(other));
    for (const [key, value] of Object.entries(one))
      expectSame(value, (other as Record<string, unknown>)[key], `${path}.${key}`);
  } else expect(one, path).toEqual(other);
}

/** Pair of lines → covariance, in one order of the two. */
function pairsOf(csv: string, environment: string, trait: string): Map<string, number> {
  const rows = csv.trimEnd().split('\n').slice(1);
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const [place, of, one = '', other = '', value] = row.split(',');
      return place === environment && of === trait ? [[[one, other].sort().join(' '), Number(value)]] : [];
    }),
  );
}

const COLUMNS = ['Yield', 'Yield SE for weights', 'Height', 'Height SE for weights'];

test('a phenotype file of means brings their covariance along', { timeout: PATIENCE_MS }, async () => {
  expect(means).toMatchObject({ status: expect.stringMatching(/^READY/), row_count: LINES, meta: { traits: COLUMNS } });
  expect(means.covariance).toMatchObject({
    environment: null,
    traits: TRAITS.map((trait) => ({ trait, lines: LINES, standard_errors: `${trait} SE for weights` })),
  });
  const one = await makeMeans({ name: 'Kiel.csv', environment: 'Kiel' });
  expect(one.covariance).toMatchObject({ environment: 'Kiel', traits: [{ lines: LINES - 1 }, { lines: LINES - 1 }] });
  const { text } = await get(`files/${one.id}/covariance.csv`);
  const { covariance_urls: urls } = (await get(`trial_analyses/${analysis}`)).body;
  for (const trait of TRAITS) {
    const ofRun = pairsOf((await download(product.app, urls[trait])).text, 'Kiel', trait);
    expect(ofRun.size).toBe((LINES * (LINES - 1)) / 2);
    expect(pairsOf(text, 'Kiel', trait)).toEqual(ofRun);
  }
  // As independent it would be that of the inverse: what is left of each mean beside all others.
  const joined = pairsOf((await get(`files/${means.id}/covariance.csv`)).text, 'all', 'Yield');
  expect(joined.size).toBe((LINES * (LINES + 1)) / 2);
  const rows = (await get(`files/${means.id}/rows?limit=100`)).body.data;
  for (const { individual, values } of rows) {
    expect(values[1]).toBeGreaterThan(0);
    expect(values[1]).toBeLessThan(Math.sqrt(joined.get(`${individual} ${individual}`) ?? 0));
  }
  expect(means.description).toContain('is no standard error of the mean');
});

test('models and GWAS that weigh by it are those of the command line, also when its run is gone', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  await heterosis(
    ...['trial', '--phenotype', file('plots.csv'), '--trait', 'Yield', '--model', 'rowcol'],
    ...['--out', file('means.csv'), '--covariance', file('covariance.csv')],
  );
  const given = ['--genotype', file('lines.vcf'), '--means', file('means.csv'), '--covariance', file('covariance.csv')];
  await heterosis('train', ...given, '--trait', 'Yield', '--residual-lines', '--out', file('model.json'));
  const summary = await heterosis(
    ...['evaluate', ...given, '--trait', 'Yield', '--residual-lines', '--folds-out', file('folds.csv')],
    ...['--out', file('evaluation.csv')],
  );
  await heterosis('gwas', ...given, '--trait', 'Yield', '--test', 'WALD', '--out', file('gwas.csv'));
  // The run goes with all that it has stored, and the file gets another name and is read again.
  await owner.call('DELETE', `${project.address}/trial_analyses/${analysis}`);
  const { storage, db } = product.services;
  await storage.deletePrefix(`projects/${project.projectId}/trial_analyses/${analysis}/`);
  await db.deleteFrom('trial_analyses').where('id', '=', analysis).execute();
  await owner.call('PUT', `${project.address}/files/${means.id}`, { name: 'Renamed.csv' });
  await post(`files/${means.id}/check`, {});
  const checked = await settledFile(owner, project, means.id);
  expect(checked).toMatchObject({ name: 'Renamed.csv', status: means.status, covariance: means.covariance });

  const inputs = { genotype_id: genotype.id, phenotype_id: means.id, weights: 'full' };
  const asked = { ...inputs, name: 'Weighed', traits: TRAITS, residual_lines: true };
  const made = await post('models', asked);
  expect(made.status, made.text).toBe(201);
  const model = await settledModel(owner, project, made.body.id);
  expect(model.error_extras).toEqual({ Yield: null, Height: null });
  const { provenance, fit } = model;
  expect(provenance.parameters).toMatchObject({ weights: 'full', residual_lines: true });
  expect(provenance.parameters).not.toHaveProperty('standard_errors');
  expect(provenance.input_sha256).toMatchObject({ phenotype: means.sha256, covariance: means.covariance?.sha256 });
  expect(fit['Yield']?.errors?.from).toBe('covariance');
  const spec = JSON.parse((await download(product.app, model.spec_urls['Yield'] ?? '')).text);
  const written = JSON.parse(await readFile(file('model.json'), 'utf8'));
  const { seconds: _, ...trait } = spec.traits[0];
  const { seconds: __, ...expected } = written.traits[0];
  expectSame({ ...trait, unit: null }, { ...expected, unit: null });
  expect(spec.markers).toEqual(written.markers);

  const folds = await download(product.app, model.folds_csv_urls['Yield'] ?? '');
  expect(folds.text).toBe(await readFile(file('folds.csv'), 'utf8'));
  expectSame(model.evaluation['Yield']?.pearson_r, JSON.parse(summary).traits[0].evaluation.pearson_r);

  const gwas = await post('gwas', { ...inputs, name: 'Weighed', traits: ['Yield'], test: 'WALD' });
  expect(gwas.status, gwas.text).toBe(201);
  const done = await until(
    async () => (await get(`gwas/${gwas.body.id}`)).body,
    ({ status }) => status.Yield !== 'PROCESSING',
    PATIENCE_MS,
  );
  expect(done.error_extras).toEqual({ Yield: null });
  expect(done.methods).toContain('whole covariance of the means');
  const rowsOf = (csv: string) =>
    csv
      .trimEnd()
      .split('\n')
      .map((row) => row.split(',').map(numberOrText));
  const { text } = await download(product.app, done.result_urls.Yield);
  expectSame(rowsOf(text), rowsOf(await readFile(file('gwas.csv'), 'utf8')));
});

test('it counts to the storage of the organization, and is kept as the other objects of a file', async () => {
  const { db, storage } = product.services;
  const key = `projects/${project.projectId}/files/${means.id}/covariance`;
  expect((await listStoredKeys(db)).map((one) => one.key)).toContain(key);
  expect(await storage.find(key)).toMatchObject({ sizeBytes: means.covariance?.size_bytes });
  const files = (await get('files?limit=100')).body.data as { id: string; size_bytes: number }[];
  const details = await Promise.all(files.map(async ({ id }) => (await get(`files/${id}`)).body as FileDetail));
  const bytes = details.reduce(
    (sum, { size_bytes, covariance }) => sum + size_bytes + (covariance?.size_bytes ?? 0),
    0,
  );
  const organization = await owner.call('GET', `/organizations/${project.organizationId}`);
  expect(organization.body.storage_used_bytes).toBe(bytes);
});

test('what the file does not have is refused before anything is written', { timeout: PATIENCE_MS }, async () => {
  const plain = await product.uploadChecked(owner, project, {
    ...{ name: 'plain.csv', fileType: 'PHENOTYPE' as const },
    bytes: 'line,Yield,SE\nL1,5.1,1\nL2,6.2,1\nL3,7.3,1\nL4,6.0,1\nL5,5.5,1\nL6,5.8,1\nL7,9.9,1\n',
  });
  const ask = (body: object) =>
    post('models', { name: 'Refused', genotype_id: genotype.id, phenotype_id: plain.id, traits: ['Yield'], ...body });
  const refusals = [
    [{ weights: 'full' }, 409, 'files/no-covariance'],
    [{ weights: 'se' }, 409, 'files/no-standard-errors'],
    [{ weights: 'none', residual_lines: true }, 400, 'request/invalid'],
    [
      { weights: 'full', phenotype_id: means.id, traits: [...TRAITS, 'Yield SE for weights'] },
      409,
      'files/no-covariance',
    ],
  ] as const;
  for (const [body, status, code] of refusals)
    expect(await ask(body), JSON.stringify(body)).toMatchObject({ status, body: { code } });
  expect(await owner.call('GET', `${project.address}/files/${plain.id}/covariance.csv`)).toMatchObject({
    ...{ status: 409, body: { code: 'files/no-covariance' } },
  });
  const taken = await ask({ weights: 'se', phenotype_id: means.id, traits: TRAITS, name: 'By standard errors' });
  expect(taken.body.provenance.parameters).toMatchObject({
    standard_errors: ['Yield SE for weights', 'Height SE for weights'],
  });
  const unweighed = await ask({ weights: 'none', standard_errors: ['SE'], name: 'Without' });
  expect(unweighed.body.provenance.parameters).not.toHaveProperty('standard_errors');
});

test('a file of means with the names of the germplasm list has the same covariance', {
  timeout: PATIENCE_MS,
}, async () => {
  const { crop_id } = await product.services.db
    .selectFrom('projects')
    .select('crop_id')
    .where('id', '=', project.projectId)
    .executeTakeFirstOrThrow();
  const list = Array.from({ length: LINES }, (_, line) => `Elite ${line + 1},L${line + 1}`);
  const germplasm = `/organizations/${project.organizationId}/germplasms`;
  const stored = await sendTable(product, owner, germplasm, ['name,synonyms', ...list], { crop_id: crop_id ?? '' });
  expect(stored.status, stored.text).toBe(201);
  const started = await post(`files/${means.id}/synonyms`, {});
  expect(started.status, started.text).toBe(202);
  const made = await until(
    async () => (await get(`files/${means.id}`)).body as FileDetail,
    ({ derivations }) => derivations.some(({ step, status }) => step === 'convert' && status !== 'PROCESSING'),
    PATIENCE_MS,
  );
  const id = made.derivations.find(({ step }) => step === 'convert')?.file?.id ?? '';
  const renamed = await settledFile(owner, project, id);
  const { sha256, size_bytes, ...covariance } = means.covariance ?? {};
  expect(renamed.covariance).toMatchObject({ ...covariance, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(renamed.covariance?.sha256).not.toBe(sha256);
  const [before, after] = await Promise.all(
    [means.id, id].map(async (file) => (await get(`files/${file}/covariance.csv`)).text as string),
  );
  expect(after).toBe(before?.replaceAll(/\bL(\d+)\b/g, 'Elite $1'));

  const fits = await Promise.all(
    [means.id, id].map(async (phenotype) => {
      const body = { name: `Of ${phenotype}`, genotype_id: genotype.id, phenotype_id: phenotype, traits: ['Yield'] };
      const asked = await post('models', { ...body, weights: 'full', residual_lines: true });
      expect(asked.status, asked.text).toBe(201);
      return (await settledModel(owner, project, asked.body.id)).fit['Yield'];
    }),
  );
  const { seconds: _, ...expected } = { seconds: 0, ...fits[0] };
  expect(fits[1]).toMatchObject(expected);
});
