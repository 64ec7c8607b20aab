import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { type CrossingPlanDetail, createCrossingPlanBody } from '@heterosis/contracts/work/crossing-plans';
import type { CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { requestOfRun } from '@heterosis/contracts/work/run-request';
import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { preparePlan } from '@heterosis/statgen/mating/prepare-plan';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  sendTable,
  settledModel,
  startProduct,
  startWorkerProcess,
  until,
} from '../../../testing/product.ts';
import { planMethods } from './methods-paragraph.ts';
import { plannedCrosses } from './planned-crosses.ts';

const HETEROSIS = join(import.meta.dirname, '../../../../../cli/bin/heterosis.mjs');

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
  // As other features read them.
  const [, ...lines] = (await download(product.app, plan.crosses_url ?? '')).text.trimEnd().split('\n');
  const pairs = await plannedCrosses(product.services, project.projectId, plan.id);
  expect(pairs.map(({ female, male }) => `${female},${male}`)).toEqual(lines.map((line) => line.split(',', 2).join()));
  const { report } = plan;
  expect(report).toMatchObject({ candidates: 281, crosses: 12, meets_cap: true, is_repaired: false, made_pairs: 0 });
  expect(report?.coancestry).toBeLessThanOrEqual(report?.cap ?? 0);
  expect(report?.value).toBeLessThanOrEqual(report?.value_bound ?? 0);
  // Tall and early: both traits move in the wanted direction.
  expect(report?.changes['EarHT']).toBeGreaterThan(0);
  expect(report?.changes['dpoll']).toBeLessThan(0);
  const [crosses, candidates, ranked] = await results(plan);
  expect(crosses?.trimEnd().split('\n')).toHaveLength(13);
  expect(candidates?.trimEnd().split('\n')).toHaveLength(282);
  expect(ranked?.trimEnd().split('\n')).toHaveLength(1001);
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

test('pairs that a crossing table has are left out, required ones are made, and a restricted index keeps its trait', {
  tags: 'whole',
}, async () => {
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

describe('pairs known from elsewhere', () => {
  const candidates = ['B73', 'MO17', 'A632'];
  const ofThree = (name: string, more: object) => planned(name, { candidates, crosses: 2, max_uses: 2, ...more });
  const pairsOf = async (plan: CrossingPlanDetail): Promise<string[]> => {
    const [crosses = ''] = await results(plan);
    const lines = crosses.trimEnd().split('\n').slice(1);
    return lines.map((line) => line.split(',').slice(0, 2).sort().join(' × ')).sort();
  };
  const madeOf = async (plan: CrossingPlanDetail): Promise<string[]> =>
    (await download(product.app, plan.made_url ?? '')).text.trimEnd().split('\n').slice(1);

  beforeAll(async () => {
    const place = `/organizations/${project.organizationId}`;
    const crops = await owner.call('GET', `${place}/crops`);
    // Other spellings than those of the genotype, the reciprocal, a selfing, and a parent that is no candidate.
    const lines = ['name,mother,father', 'B73,,', 'Mo17,,', 'A-632,,', 'Oh43,,', 'MB,Mo17,B73', 'AS,A-632,A-632'];
    const answer = await sendTable(product, owner, `${place}/germplasms`, [...lines, 'OB,Oh43,B73'], {
      crop_id: crops.body.data[0].id,
    });
    expect(answer.status, answer.text).toBe(201);
  });

  test('the parents of a line in the germplasm list are a pair already made, when that is asked', async () => {
    const unasked = await ofThree('Not asked', {});
    expect([unasked.report?.made_pairs, unasked.made_url]).toEqual([0, null]);
    const plan = await ofThree('Germplasm', { made_from: ['germplasm', 'germplasm'] });
    expect(plan.report?.made_pairs).toBe(1);
    expect(plan.provenance.parameters).toMatchObject({ made_from: ['germplasm'], allow_made: false });
    expect(await pairsOf(plan)).toEqual(['A632 × B73', 'A632 × MO17']);
    expect(await madeOf(plan)).toEqual(['MO17,B73,germplasm,MB']);
    const answer = await product.app.inject({
      method: 'GET',
      url: `${plans()}/${plan.id}/tables`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(unpackPlanTables(answer.rawPayload).made).toEqual([[0, 1]]);
    const three = await ofThree('Three', { made_from: ['germplasm'], crosses: 3 });
    expect(three.error_extra).toMatchObject({ code: 'planning/impossible' });
  });

  test('they may be allowed again, and then say so; a required pair needs no leave', async () => {
    const allowed = await ofThree('Allowed', { made_from: ['germplasm'], allow_made: true, crosses: 3 });
    expect(await pairsOf(allowed)).toHaveLength(3);
    const [crosses = '', , pairs = ''] = await results(allowed);
    for (const csv of [crosses, pairs]) {
      const [head, ...lines] = csv.trimEnd().split('\n');
      expect(head?.split(',').at(-1)).toBe('made');
      const marked = lines.filter((line) => line.endsWith(',yes'));
      expect(marked.map((line) => line.split(',').slice(0, 2).sort())).toEqual([['B73', 'MO17']]);
    }
    const required = await ofThree('Required', { made_from: ['germplasm'], required_pairs: [['B73', 'MO17']] });
    expect(await pairsOf(required)).toContain('B73 × MO17');
  });

  test('all crossing tables of the project are read, those in the bin are not', { tags: 'whole' }, async () => {
    const table = (name: string, text: string) =>
      product.uploadChecked(owner, project, { name, fileType: 'CROSSING_TABLE', bytes: Buffer.from(text) });
    const before = await ofThree('Tables before', { made_from: ['crossing_tables'] });
    const first = await table('last year.csv', 'female,male\nA632,B73\n');
    await table('this year.csv', 'female,male\nMO17,A632\nA632,MO17\n');
    const both = await ofThree('Tables', { made_from: ['crossing_tables', 'germplasm'], crosses: 1, allow_made: true });
    expect(await madeOf(both)).toEqual(
      expect.arrayContaining([
        'MO17,B73,germplasm,MB',
        'A632,B73,crossing_table,last year.csv',
        'MO17,A632,crossing_table,this year.csv',
      ]),
    );
    expect(both.report?.made_pairs).toBe(3);
    await owner.call('DELETE', `${project.address}/files/${first.id}`);
    const after = await ofThree('Tables after', { made_from: ['crossing_tables'], crosses: 1, allow_made: true });
    expect(await madeOf(after)).not.toContain('A632,B73,crossing_table,last year.csv');
    expect(after.report?.made_pairs).toBe((before.report?.made_pairs ?? 0) + 1);
  });
});

describe('coancestries from a pedigree', () => {
  const LINES = ['B73,,,DH', 'MO17,,,DH', 'a 632,,,DH', 'F1,B73,MO17,', 'G1,a 632,MO17,', 'H1,F1,,DH', 'H2,F1,,DH'];
  const PEDIGREE = `name,female,male,cross_type\n${[...LINES, 'K1,G1,,DH', 'K2,G1,,DH'].join('\n')}\n`;
  let pedigree: FileDetail;
  let step: ModelDetail;
  let folder: string;
  const ofStep = { traits: ['EarHT'], low_traits: [], crosses: 3, max_uses: 2 };
  const ungenotyped = () => ({ ...ofStep, model_id: step.id, pedigree_id: pedigree.id, candidates_from: 'model' });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heterosis-plans-'));
    pedigree = await product.uploadChecked(owner, project, {
      name: 'pedigree.csv',
      fileType: 'PEDIGREE',
      bytes: Buffer.from(PEDIGREE),
    });
    const { body } = await owner.call('POST', `${project.address}/models`, {
      ...{ name: 'Single step', genotype_id: phased.id, phenotype_id: model.phenotype_id, traits: ['EarHT'] },
      ...{ n_repetition: 1, pedigree_id: pedigree.id },
    });
    step = await settledModel(owner, project, body.id);
    await writeFile(join(folder, 'pedigree.csv'), PEDIGREE);
    await writeFile(join(folder, 'model.json'), (await download(product.app, step.spec_urls['EarHT'] ?? '')).text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Crosses, candidates and curve of `heterosis plan` with the same inputs. */
  async function byCommandLine(...more: string[]): Promise<string[]> {
    const files = ['out', 'candidates-out', 'curve-out'].map((option) => [
      `--${option}`,
      join(folder, `${option}.csv`),
    ]);
    const options = ['--model', join(folder, 'model.json'), '--pedigree', join(folder, 'pedigree.csv')];
    await promisify(execFile)(process.execPath, [
      ...[HETEROSIS, 'plan', ...options, '--crosses', '3', '--max-uses', '2', ...files.flat(), ...more],
    ]);
    return Promise.all(files.map(([, path = '']) => readFile(path, 'utf8')));
  }
  const withoutPairs = async (plan: CrossingPlanDetail): Promise<string[]> => {
    const urls = [plan.crosses_url, plan.candidates_url, plan.curve_url];
    return Promise.all(urls.map(async (url) => (await download(product.app, url ?? '')).text));
  };

  test('candidates without genotype are planned as the command line and the page do', { tags: 'whole' }, async () => {
    const table = { name: 'dh.csv', fileType: 'CROSSING_TABLE' as const, bytes: Buffer.from('female,male\nK1,h-1\n') };
    const { id } = await product.uploadChecked(owner, project, table);
    const plan = await planned('Ungenotyped', { ...ungenotyped(), crossing_table_id: id });
    expect(plan.status, JSON.stringify(plan.error_extra)).toBe('SUCCESS');
    expect(plan).toMatchObject({ genotype: null, pedigree: { name: 'pedigree.csv' }, linkage_map: null });
    expect(plan.report).toMatchObject({ candidates: 9, crosses: 3, effect_markers: null, made_pairs: 1, warnings: [] });
    expect(plan.provenance.parameters).toMatchObject({ coancestry: 'pedigree', population: null });
    expect(Object.keys(plan.provenance.input_sha256).sort()).toEqual(['crossing_table', 'pedigree']);
    const again = await planned('Without the made', ungenotyped());
    const files = await withoutPairs(again);
    expect(files).toEqual(await byCommandLine());
    const answer = await product.app.inject({
      ...{ method: 'GET', url: `${plans()}/${again.id}/tables`, headers: { authorization: `Bearer ${owner.token}` } },
    });
    const prepared = preparePlan(unpackPlanTables(answer.rawPayload), {
      index: { method: 'base', weights: [1], isLow: [false], isKept: [false], accuracy: [1] },
      ...{ candidates: null, crosses: 3, mostUses: 2, required: [], forbidden: [], allowMade: false },
      mates: 'usefulness',
    });
    const { coancestry, value } = prepared.plan(prepared.balancedCap);
    expect([again.report?.coancestry, again.report?.value]).toEqual([coancestry, value]);
  });

  test('genotyped candidates have the coancestries of the pedigree, and their own spread', {
    tags: 'whole',
  }, async () => {
    const candidates = ['B73', 'MO17', 'A632'];
    const more = { ...ofStep, model_id: step.id, pedigree_id: pedigree.id, candidates, crosses: 3, made_from: [] };
    const plan = await planned('Genotyped', more);
    await writeFile(join(folder, 'names.txt'), candidates.join('\n'));
    const genotype = join(MAIZE, 'genotypes_phased.vcf.gz');
    expect(await withoutPairs(plan)).toEqual(
      await byCommandLine('--genotype', genotype, '--candidates', join(folder, 'names.txt')),
    );
    // Three unrelated inbred lines, each used twice: a third of their coancestry of 1 with themselves.
    expect(plan.report?.coancestry).toBeCloseTo(1 / 3, 9);
    expect(planMethods(plan)).toContain('the pedigree “pedigree.csv” (Colleau 2002)');
  });

  test('the request that repeats a plan has its pedigree, and says which input was deleted', async () => {
    const plan = await planned('To repeat', ungenotyped());
    const { body, gone } = requestOfRun(createCrossingPlanBody, plan, 'Repeated');
    expect(gone).toEqual([]);
    expect(body).toMatchObject({ pedigree_id: pedigree.id, candidates_from: 'model' });
    expect(body).not.toHaveProperty('genotype_id');
    const repeated = await owner.call('POST', plans(), body);
    expect(repeated.status, repeated.text).toBe(201);
    expect(await withoutPairs(await settled(repeated.body.id))).toEqual(await withoutPairs(plan));
    expect(
      requestOfRun(createCrossingPlanBody, { ...plan, pedigree_id: null } as CrossingPlanDetail, 'x').gone,
    ).toEqual(['pedigree']);
  });

  test.each([
    ['a model of markers alone', () => ({ model_id: model.id }), /trained without a pedigree/],
    ['no pedigree', () => ({ pedigree_id: undefined }), /Choose a pedigree file/],
    ['a candidate that the model lacks', () => ({ candidates: ['H1', 'Nobody'] }), /"Nobody" is not in the model/],
    ['a candidate that the pedigree lacks', () => ({ candidates: ['H1', 'OH43'] }), /lacks a candidate: OH43/],
    ['everyone of a larger genotype', () => ({ candidates_from: 'genotype' }), /lacks candidates: .* and 273 more/],
  ])('%s is refused before anything is written', async (_, more, reason) => {
    const answer = await create('Refused', { ...ungenotyped(), ...more() });
    expect([answer.status, answer.body.code]).toEqual([400, 'request/invalid']);
    expect(answer.body.detail).toMatch(reason);
  });
});

test('candidates and pairs that are spelled otherwise are those of the genotype', async () => {
  const plan = await planned('Spelled otherwise', {
    candidates: ['b73', 'Mo-17', 'MO17', 'a632'],
    required_pairs: [['b 73', 'mo17']],
    crosses: 2,
    max_uses: 2,
  });
  expect(plan.provenance.parameters).toMatchObject({
    candidates: ['B73', 'MO17', 'A632'],
    required_pairs: [['B73', 'MO17']],
  });
  expect(plan.report).toMatchObject({ candidates: 3, crosses: 2 });
  const { body } = await create('Refused', { candidates: ['b73', 'Nobody', 'Nowhere'] });
  expect(body.detail).toContain('"Nobody", "Nowhere" are not in the genotype');
});

test.each([
  ['an unknown candidate', { candidates: ['B73', 'Nobody'] }, 400, 'request/invalid'],
  ['a trait that the model lacks', { traits: ['Yield'] }, 400, 'crossing/trait-not-trained'],
  ['a source of crosses that does not exist', { made_from: ['memory'] }, 400, 'request/invalid'],
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

describe('when their worker is killed', () => {
  const simulations = () => `${project.address}/crossing_simulations`;
  const simulate = async (name: string, table: string): Promise<string> => {
    const inputs = { model_id: model.id, genotype_id: phased.id, crossing_table_id: table };
    const { status, body, text } = await owner.call('POST', simulations(), { name, ...inputs, progeny: 300, seed: 7 });
    expect(status, text).toBe(201);
    return body.id;
  };
  const simulated = async (id: string): Promise<string[]> => {
    const get = async (): Promise<CrossingSimulationDetail> => (await owner.call('GET', `${simulations()}/${id}`)).body;
    const { status, result_url, progeny_url } = await until(get, (one) => one.status !== 'PROCESSING', 120_000);
    expect(status).toBe('SUCCESS');
    return Promise.all([result_url, progeny_url].map(async (url) => (await download(product.app, url ?? '')).text));
  };

  test('a plan and a simulation are finished by others with four places, with the same bytes', {
    tags: 'whole',
    timeout: 240_000,
  }, async () => {
    const undisturbed = await results(await planned('Undisturbed'));
    const { id: table } = await product.uploadChecked(owner, project, {
      name: 'undisturbed.csv',
      fileType: 'CROSSING_TABLE',
      bytes: undisturbed[0] ?? '',
    });
    const progeny = await simulated(await simulate('Undisturbed', table));
    expect(progeny[1]?.trimEnd().split('\n').length).toBeGreaterThan(12);
    await product.stopWorker();
    const first = startWorkerProcess(product, { LOG_LEVEL: 'info' });
    workers.push(first);
    const begun = new Set<string>();
    const haveBegun = new Promise<void>((resolve) => {
      createInterface({ input: first.stdout! }).on('line', (line) => {
        const [job] = /run-crossing(-plan)?(?=")/.exec(line) ?? [];
        if (job !== undefined && line.includes('job started') && begun.add(job).size === 2) resolve();
      });
    });
    const { body } = await create('Disturbed');
    const simulation = await simulate('Disturbed', table);
    await haveBegun;
    first.kill('SIGKILL');
    await once(first, 'exit');
    await missHeartbeats(product);
    for (let k = 0; k < 2; k++) workers.push(startWorkerProcess(product, { WORKER_CONCURRENCY: '2' }));
    const plan = await settled(body.id);
    expect(plan.status).toBe('SUCCESS');
    expect(await results(plan)).toEqual(undisturbed);
    expect(await simulated(simulation)).toEqual(progeny);
  });
});
