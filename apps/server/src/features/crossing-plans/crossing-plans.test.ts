import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CrossingPlanDetail } from '@heterosis/contracts/crossing-plans';
import type { FileDetail } from '@heterosis/contracts/files';
import type { ModelDetail } from '@heterosis/contracts/models';
import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  startWorkerProcess,
  until,
} from '../../testing/product.ts';

let product: Product;
let owner: Person;
let project: Project;
let phased: FileDetail;
let model: ModelDetail;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
  const bytes = (name: string) => readFile(join(MAIZE, name));
  phased = await product.uploadChecked(owner, project, {
    name: 'phased.vcf.gz',
    fileType: 'GENOTYPE',
    bytes: await bytes('genotypes_phased.vcf.gz'),
  });
  const phenotype = await product.uploadChecked(owner, project, {
    name: 'trials.csv',
    fileType: 'PHENOTYPE',
    bytes: await bytes('phenotypes.csv'),
  });
  const { body } = await owner.call('POST', `${project.address}/models`, {
    name: 'Panel',
    genotype_id: phased.id,
    phenotype_id: phenotype.id,
    traits: ['EarHT', 'dpoll'],
    n_repetition: 1,
  });
  model = await settledModel(owner, project, body.id);
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await product.close();
});

const plans = () => `${project.address}/crossing_plans`;
const create = (name: string, more: object = {}) =>
  owner.call('POST', plans(), { name, model_id: model.id, low_traits: ['dpoll'], crosses: 12, max_uses: 3, ...more });

async function settled(id: string): Promise<CrossingPlanDetail> {
  const get = async (): Promise<CrossingPlanDetail> => (await owner.call('GET', `${plans()}/${id}`)).body;
  return await until(get, ({ status }) => status !== 'PROCESSING', 120_000);
}

async function planned(name: string, more: object = {}): Promise<CrossingPlanDetail> {
  const { status, body, text } = await create(name, more);
  expect(status, text).toBe(201);
  return await settled(body.id);
}

/** All results as text, for comparing bytes. */
async function results(plan: CrossingPlanDetail): Promise<string[]> {
  const urls = [plan.crosses_url, plan.candidates_url, plan.pairs_url, plan.curve_url];
  return Promise.all(urls.map(async (url) => (await download(product.app, url ?? '')).text));
}

test('a plan has its crosses, curve, index and the tables to compute others from', async () => {
  const plan = await planned('First');
  expect(plan.status, JSON.stringify(plan.error_extra)).toBe('SUCCESS');
  const { report } = plan;
  expect(report).toMatchObject({ candidates: 281, crosses: 12, meets_cap: true, is_repaired: false, made_pairs: 0 });
  expect(report?.coancestry).toBeLessThanOrEqual(report?.cap ?? 0);
  expect(report?.value).toBeLessThanOrEqual(report?.value_bound ?? 0);
  // Tall and early: both traits move in the wanted direction.
  expect(report?.changes['EarHT']).toBeGreaterThan(0);
  expect(report?.changes['dpoll']).toBeLessThan(0);
  const [crosses, candidates, pairs] = await results(plan);
  expect(crosses?.trimEnd().split('\n')).toHaveLength(13);
  expect(candidates?.trimEnd().split('\n')).toHaveLength(282);
  expect(pairs?.trimEnd().split('\n')).toHaveLength(1001);
  const answer = await product.app.inject({
    method: 'GET',
    url: `${plans()}/${plan.id}/tables`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const tables = unpackPlanTables(answer.rawPayload);
  expect(tables.traits).toEqual(['EarHT', 'dpoll']);
  expect(tables.candidates).toHaveLength(281);
  expect(tables.covariances).toHaveLength(3);
});

test('pairs that a crossing table has are left out, required ones are made, and a restricted index keeps its trait', async () => {
  const first = await planned('Free', { index_method: 'restricted', kept_traits: ['dpoll'] });
  expect(first.report?.gains['dpoll']).toBeCloseTo(0, 9);
  const [table = ''] = await results(first);
  const made = await product.uploadChecked(owner, project, {
    name: 'made.csv',
    fileType: 'CROSSING_TABLE',
    bytes: table,
  });
  const second = await planned('Others', {
    index_method: 'restricted',
    kept_traits: ['dpoll'],
    crossing_table_id: made.id,
    required_pairs: [['B73', 'MO17']],
  });
  expect(second.report?.made_pairs).toBe(12);
  const namesOf = (csv: string) =>
    csv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[2]);
  const [other = ''] = await results(second);
  expect(namesOf(other)).toContain('B73_X_MO17');
  expect(namesOf(other).filter((name) => namesOf(table).includes(name))).toEqual([]);
});

test.each([
  ['an unknown candidate', { candidates: ['B73', 'Nobody'] }, 400, 'request/invalid'],
  ['a trait that the model lacks', { traits: ['Yield'] }, 400, 'crossing/trait-not-trained'],
  ['a backcross', { population: 'BC1_female' }, 400, 'request/invalid'],
])('%s is refused before anything is written', async (_, more, status, code) => {
  const answer = await create('Refused', more);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('what cannot be planned ends with the reason', async () => {
  const plan = await planned('Too many', { candidates: ['B73', 'MO17', 'A632'], crosses: 12 });
  expect(plan.status).toBe('ERROR');
  expect(plan.error_extra).toMatchObject({ code: 'planning/impossible', message: /cannot be used 24 times/ });
});

test('a plan whose worker is killed is finished by another, with the same bytes', { timeout: 180_000 }, async () => {
  const undisturbed = await results(await planned('Undisturbed'));
  await product.stopWorker();
  const first = startWorkerProcess(product, { LOG_LEVEL: 'info' });
  workers.push(first);
  const isBegun = new Promise<void>((resolve) => {
    createInterface({ input: first.stdout! }).on('line', (line) => {
      if (line.includes('run-crossing-plan') && line.includes('job started')) resolve();
    });
  });
  const { body } = await create('Disturbed');
  await isBegun;
  first.kill('SIGKILL');
  await once(first, 'exit');
  await missHeartbeats(product);
  for (let k = 0; k < 2; k++) workers.push(startWorkerProcess(product));
  const plan = await settled(body.id);
  expect(plan.status).toBe('SUCCESS');
  expect(await results(plan)).toEqual(undisturbed);
});
