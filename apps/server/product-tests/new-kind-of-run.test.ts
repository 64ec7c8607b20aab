import '../tools/sample-census/option-row.ts';
import '../tools/sample-census/table-row.ts';
import { createGwasBody } from '@heterosis/contracts/work/gwas';
import { runKinds } from '@heterosis/contracts/work/run-kinds';
import { requestOfRun } from '@heterosis/contracts/work/run-request';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../src/entrypoints/wiring.ts';
import { sweepBin } from '../src/features/work/runs/sweep/index.ts';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  startProduct,
  until,
} from '../src/testing/product.ts';
import { up } from '../tools/sample-census/migration.ts';
import { sampleCensus } from '../tools/sample-census/sample-census.kind.ts';

let product: Product;
let ann: Person;
let project: Project;
let genotypeId: string;
let address: string;

beforeAll(async () => {
  product = await startProduct({ kinds: [...KINDS, sampleCensus] });
  await up(product.services.db, runKinds);
  ann = await product.person('ann');
  project = await product.project(ann);
  address = `${project.address}/sample_censuses`;
  ({ id: genotypeId } = await product.uploadChecked(ann, project, {
    name: 'g.vcf',
    fileType: 'GENOTYPE',
    bytes: SMALL_VCF,
  }));
});
afterAll(() => product.close());

async function create(name: string): Promise<string> {
  const made = await ann.call('POST', address, { name, genotype_id: genotypeId });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}
const read = async (id: string) => (await ann.call('GET', `${address}/${id}`)).body;
const ended = (id: string) =>
  until(
    () => read(id),
    ({ status }) => status !== 'PROCESSING',
  );

test('a kind that a test brings is created, worked on by the queue, listed and renamed', async () => {
  const id = await create('First');
  expect(await ended(id)).toMatchObject({ status: 'SUCCESS', individuals: 6, genotype_name: 'g.vcf', progress: null });
  const { provenance } = await read(id);
  expect(provenance.input_sha256.genotype).toMatch(/^[0-9a-f]{64}$/);

  const list = async (query: string) =>
    (await ann.call('GET', `${address}?${query}`)).body.data.map(({ name }: { name: string }) => name);
  await ended(await create('Second'));
  expect(await list('')).toEqual(['Second', 'First']);
  expect(await list('name=fir')).toEqual(['First']);
  expect(await list(`genotype_id=${genotypeId}&limit=1`)).toEqual(['Second']);
  expect(await list(`genotype_id=${id}`)).toEqual([]);

  expect((await ann.call('PUT', `${address}/${id}`, { name: 'Renamed' })).body.name).toBe('Renamed');
  const taken = await ann.call('POST', address, { name: 'RENAMED', genotype_id: genotypeId });
  expect(taken.status).toBe(409);
  expect(taken.body.detail).toContain('There is a sample census "RENAMED"');
  const bundle = await ann.call('GET', `${address}/${id}/bundle`);
  expect(bundle.status).toBe(200);
  expect(bundle.text).toContain('census.csv');
});

test('an option that is a row of the table is asked for, stored, said in the methods, and repeated', async () => {
  const other = await product.project(ann);
  const upload = async (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    (await product.uploadChecked(ann, other, { name, fileType, bytes })).id;
  const inputs = {
    ...{ name: 'With an option', traits: ['Yield'], test: 'SCORE' },
    genotype_id: await upload('g.vcf', 'GENOTYPE', SMALL_VCF),
    phenotype_id: await upload('p.csv', 'PHENOTYPE', SMALL_PHENOTYPE),
  };
  const run = (smallest_class: number) => ann.call('POST', `${other.address}/gwas`, { ...inputs, smallest_class });
  expect((await run(501)).body.invalid_params).toMatchObject([{ name: 'body.smallest_class' }]);
  const made = await run(3);
  expect(made.status, made.text).toBe(201);
  expect(made.body.provenance.parameters).toMatchObject({ test: 'SCORE', smallest_class: 3 });
  expect(made.body.methods).toContain(' Markers with fewer than 3 individuals in a class were not tested. ');
  expect(requestOfRun(createGwasBody, made.body, 'Again').body).toMatchObject({ test: 'SCORE', smallest_class: 3 });
});

test('the overview counts it, its file knows it, and the sweep keeps its result', async () => {
  const { body: overview } = await ann.call('GET', `${project.address}/overview`);
  expect(overview.sample_censuses).toBe(2);
  expect(overview.recent.find(({ name }: { name: string }) => name === 'Renamed')).toMatchObject({
    kind: 'sample_census',
    state: 'success',
    key_figure: '6',
  });
  const refused = await ann.call('DELETE', `${project.address}/files/${genotypeId}`);
  expect(refused.status).toBe(409);
  expect(refused.body.detail).toContain('the sample census "Renamed"');
  expect(refused.body.details.dependants).toContainEqual(expect.objectContaining({ kind: 'sample_census' }));

  const { db, storage } = product.services;
  const { rows } = await sql<{ key: string }>`
    select result_keys ->> 'csv' as key from sample_censuses where name = 'Renamed'`.execute(db);
  const [row] = rows;
  await storage.put(row!.key.replace(/csv$/, 'left'), new Uint8Array(1));
  await sweepRuns({ db, storage }, 0);
  expect(await storage.find(row!.key)).toBeDefined();
  expect(await storage.find(row!.key.replace(/csv$/, 'left'))).toBeUndefined();
  const url = await storage.signGet(row!.key, { fileName: 'census.csv' });
  expect((await download(product.app, url)).text).toBe('individuals\n6\n');
});

test('it is cancelled and repeated; it goes to the bin, and comes back cancelled when it had not ended', async () => {
  await product.stopWorker();
  const id = await create('Stopped');
  expect((await read(id)).progress).toMatchObject({ stage: 'queued', runs_before: 0 });
  const cancelled = await ann.call('POST', `${address}/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'ERROR', error_extra: { code: 'runs/cancelled' } });
  expect((await ann.call('POST', `${address}/${id}/cancel`)).body.code).toBe('runs/not-cancellable');
  expect((await ann.call('POST', `${address}/${id}/retry`)).body.status).toBe('PROCESSING');

  expect((await ann.call('DELETE', `${address}/${id}`)).status).toBe(204);
  expect((await ann.call('GET', `${address}/${id}`)).status).toBe(404);
  const { data } = (await ann.call('GET', `${project.address}/bin`)).body;
  expect(data).toEqual([expect.objectContaining({ kind: 'sample_census', id, name: 'Stopped' })]);
  const restored = await ann.call('POST', `${project.address}/bin/${id}/restore`);
  expect(restored.body).toEqual({ kind: 'sample_census', id, name: 'Stopped' });
  expect(await read(id)).toMatchObject({ status: 'ERROR', error_extra: { code: 'runs/cancelled' } });

  expect((await ann.call('POST', `${address}/${id}/retry`)).body.status).toBe('PROCESSING');
  await product.startWorker();
  expect(await ended(id)).toMatchObject({ status: 'SUCCESS', individuals: 6, error_extra: null });
  expect((await ann.call('POST', `${address}/${id}/retry`)).body.code).toBe('runs/not-retryable');
});

test('its file is deleted under it: it ends with the reason, and cannot be repeated', async () => {
  await product.stopWorker();
  const id = await create('Bereft');
  expect((await ann.call('DELETE', `${project.address}/files/${genotypeId}?cascade=true`)).status).toBe(204);
  expect(await read(id)).toMatchObject({ status: 'ERROR', error_extra: { code: 'models/input-gone' }, genotype: null });
  const again = await ann.call('POST', `${address}/${id}/retry`);
  expect(again.body).toMatchObject({ code: 'models/input-gone' });
  expect(again.body.detail).toContain('The genotype file of this sample census was deleted.');
});

test('what the bin has held for 30 days goes for good, with its runs and its files', async () => {
  const { db, storage } = product.services;
  const { rows } = await sql<{ id: string; key: string }>`
    update sample_censuses set deleted_at = now() - interval '31 days' where name = 'Renamed'
    returning id, result_keys ->> 'csv' as key`.execute(db);
  const [row] = rows;
  await sweepBin({ db, storage });
  const left = await db.selectFrom('runs').select('id').where('entity_id', '=', row!.id).execute();
  expect(left).toEqual([]);
  expect(await storage.find(row!.key)).toBeUndefined();
  expect((await ann.call('GET', `${project.address}/bin`)).body.data).toHaveLength(1);
});
