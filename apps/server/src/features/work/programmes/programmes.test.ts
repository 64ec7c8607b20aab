import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optimiseProgramme } from '@heterosis/analysis/programmes/optimise-programme';
import { allocationsCsv, optimumReport, stepsCsv } from '@heterosis/analysis/programmes/optimum-report';
import { programmeCsv, replicatesCsv } from '@heterosis/analysis/programmes/programme-csv';
import { readProgrammeFiles } from '@heterosis/analysis/programmes/read-programme-files';
import { runProgramme } from '@heterosis/analysis/programmes/run-programme';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import type { ProgrammeDetail, ProgrammeResults } from '@heterosis/contracts/work/programmes';
import { programmeSearch } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { beforeAll, describe, expect, test } from 'vitest';
import { download, settledModel, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { openSearch } from './open-search.ts';
import { ARCHITECTURE, dh, panel } from './programmes.test-data.ts';

const SCHEMES = [dh('Small', 5), dh('Large', 30)];

const { product, owner, project } = await startProject();
const files: Record<'genotype' | 'phenotype', FileDetail> = {} as never;

beforeAll(async () => {
  const upload = (name: string, fileType: FileType, bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  files.genotype = await upload('lines.vcf', 'GENOTYPE', panel().vcf);
  files.phenotype = await upload('trial.csv', 'PHENOTYPE', panel().phenotype);
});

const address = () => `${project.address}/programmes`;
const create = (name: string, more: object = {}) =>
  owner.call('POST', address(), {
    ...{ name, genotype_id: files.genotype.id, architecture: ARCHITECTURE, schemes: SCHEMES, replicates: 30, seed: 4 },
    ...more,
  });
const settled = (id: string): Promise<ProgrammeDetail> =>
  until(
    async () => (await owner.call('GET', `${address()}/${id}`)).body as ProgrammeDetail,
    ({ status }) => status !== 'PROCESSING',
  );
async function simulated(name: string, more: object = {}): Promise<ProgrammeDetail> {
  const made = await create(name, more);
  expect(made.status, made.text).toBe(201);
  const detail = await settled(made.body.id);
  expect(detail.error_extra).toBeNull();
  return detail;
}
async function results(id: string, query: string): Promise<ProgrammeResults> {
  const answer = await owner.call('GET', `${address()}/${id}/results?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const textOf = async (url: string | undefined): Promise<string> => (await download(product.app, url ?? '')).text;
const joined = (chunks: Iterable<string>): string => [...chunks].join('');

/** Unpacks the files of a bundle into a folder of its own. */
async function withBundle(id: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'programme-'));
  try {
    const headers = { authorization: `Bearer ${owner.token}` };
    const answer = await product.app.inject({ url: `${address()}/${id}/bundle`, headers });
    const zip = await openZip(memorySource(answer.rawPayload));
    for (const name of zip.names) await writeFile(join(folder, name), zip.stream(name, 1e8));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('two schemes on one architecture', () => {
  let one: ProgrammeDetail;
  beforeAll(async () => {
    one = await simulated('Small and large');
  });

  test('say their gain, years and costs, and what was lost of the phase', () => {
    expect(one).toMatchObject({ status: 'SUCCESS', traits: ['yield'], model: null, linkage_map: null });
    const { report } = one;
    expect(report).toMatchObject({ founders: 42, loci: 120, inbred: false, unphased_founders: 2, replicates: 30 });
    expect(report?.unphased_calls).toBeGreaterThan(60);
    const [small, large] = report?.schemes ?? [];
    expect(small).toMatchObject({ name: 'Small', years: 9 });
    // 42 × 2 plots of founders, then 6 crosses, 30 lines and 30 plots a cycle.
    expect(small?.cost).toBe(84 * 25 + 3 * (6 * 20 + 30 * 30 + 30 * 25));
    expect(large?.gain?.mean).toBeGreaterThan(small?.gain?.mean ?? Number.POSITIVE_INFINITY);
    expect(one.methods).toContain('2 founders were put on either chromosome at random');
    expect(one.methods).toContain('30 replicates (seed 4)');
  });

  test('are compared in pairs, with the replicates that are still needed', async () => {
    const found = await results(one.id, 'stage=dh&quantities=gain1,accuracy,total_cost');
    expect(found).toMatchObject({ replicates: 30, stage: 'dh' });
    expect(found.stages.map(({ scheme, stage }) => `${scheme} ${stage}`)).toEqual([
      ...['Small founders', 'Small dh', 'Large founders', 'Large dh'],
    ]);
    const [small, large] = found.schemes.map(({ points }) => points.filter(({ quantity }) => quantity === 'gain1'));
    expect(small?.map(({ cycle, year }) => [cycle, year])).toEqual([
      [1, 3],
      [2, 6],
      [3, 9],
    ]);
    const last = large?.at(-1);
    expect(small?.at(-1)?.difference).toBeNull();
    expect(last?.difference?.mean).toBeCloseTo((last?.mean ?? 0) - (small?.at(-1)?.mean ?? 0), 9);
    expect(last?.difference).toMatchObject({ replicates: 30, more: 0 });
    // Pairs vary less than two independent means.
    expect(last?.difference?.se).toBeLessThan(Math.hypot(last?.se ?? 0, small?.at(-1)?.se ?? 0));
    expect(last?.low).toBeLessThan(last?.mean ?? 0);
    expect(last?.high).toBeGreaterThan(last?.mean ?? 0);
  });

  test('come out of the command line with the same bytes', async () => {
    const rows = await product.services.db.selectFrom('programme_replicates').select('scheme').execute();
    expect(rows).toEqual([]);
    await withBundle(one.id, async (folder) => {
      expect(await readFile(join(folder, 'simulate.sh'), 'utf8')).toContain('--architecture architecture.json');
      const paths = { haplotypes: join(folder, 'haplotypes.csv'), map: join(folder, 'map.csv') };
      const material = await readProgrammeFiles(paths, { threads: 1 });
      for (const [i, scheme] of SCHEMES.entries()) {
        const task = { material, scheme, seed: 4, truth: ARCHITECTURE };
        const run = await runProgramme(task, 30, { threads: 2 });
        expect(await textOf(one.result_urls[i])).toBe(joined(programmeCsv(run.rows)));
        expect(await textOf(one.replicates_urls[i])).toBe(joined(replicatesCsv(run)));
      }
    });
  });
});

test('a cancelled run keeps the replicates that have ended, and goes on to the same bytes', async () => {
  const whole = await simulated('Whole', { replicates: 12 });
  const { id } = (await create('Broken', { replicates: 12 })).body;
  await until(
    async () => (await results(id, 'stage=dh&quantities=gain1')).replicates,
    (replicates) => replicates > 0,
  );
  await owner.call('POST', `${address()}/${id}/cancel`);
  const kept = await product.services.db
    .selectFrom('programme_replicates')
    .select('replicate')
    .where('programme_id', '=', id)
    .execute();
  expect(kept.length).toBeGreaterThan(0);
  await owner.call('POST', `${address()}/${id}/retry`);
  const again = await settled(id);
  expect(again.error_extra).toBeNull();
  for (const i of SCHEMES.keys())
    expect(await textOf(again.replicates_urls[i])).toBe(await textOf(whole.replicates_urls[i]));
});

test('effects are drawn from a model in each replicate', { tags: 'whole' }, async () => {
  const { body } = await owner.call('POST', `${project.address}/models`, {
    ...{ name: 'Lines', genotype_id: files.genotype.id, phenotype_id: files.phenotype.id, traits: ['yield'] },
    n_repetition: 1,
  });
  const model: ModelDetail = await settledModel(owner, project, body.id);
  const drawn = await simulated('Drawn', { model_id: model.id, architecture: undefined, replicates: 6 });
  expect(drawn.report).toMatchObject({ loci: 120, model_markers: 120 });
  expect(drawn.methods).toContain('posterior given the variances and records of the model “Lines”');
  const { schemes } = await results(drawn.id, 'stage=dh&quantities=gain1');
  expect(schemes[1]?.points.at(-1)?.mean).toBeGreaterThan(0);
});

test('what cannot be is refused before anything is written', async () => {
  const [small] = SCHEMES;
  const changed = (change: object) => ({ schemes: [{ ...small, ...change }] });
  const stages = small?.cycle ?? [];
  const many = stages.map((stage) => (stage.do === 'select' ? { ...stage, count: 31 } : stage));
  const height = stages.map((stage) => (stage.do === 'phenotype' ? { ...stage, trait: 'height' } : stage));
  const lost = stages.map((stage) => (stage.do === 'select' ? { ...stage, from: 'nobody' } : stage));
  const scored = [
    ...stages,
    { do: 'score', kind: 'copies', population: 'dh', like: 'parents', loci: ['m999'], as: 'c' },
  ];
  const cases: [more: object, code: string, text: string][] = [
    [changed({ cycle: many }), 'programmes/scheme-impossible', 'There are 30 candidates'],
    [changed({ cycle: height }), 'programmes/scheme-impossible', 'There is no trait \\"height\\"'],
    [changed({ cycle: lost }), 'request/invalid', 'There is no population'],
    [changed({ cycle: scored }), 'programmes/scheme-impossible', 'There is no marker \\"m999\\"'],
    [{ schemes: [small, small] }, 'request/invalid', 'different names'],
    [{ founders: ['L1', 'Nobody'] }, 'programmes/founders', 'Nobody'],
    [{ architecture: undefined }, 'request/invalid', 'either a model or an architecture'],
  ];
  for (const [more, code, text] of cases) {
    const answer = await create('Refused', more);
    expect(answer.body.code, answer.text).toBe(code);
    expect(answer.text).toContain(text);
  }
});

test('more QTL than loci that vary end the run with the reason', async () => {
  const { body } = await create('Too many QTL', { architecture: [{ ...ARCHITECTURE[0], qtl: 500 }] });
  const failed = await settled(body.id);
  expect(failed.error_extra).toMatchObject({ code: 'programmes/scheme-impossible' });
  expect(failed.error_extra?.['message']).toContain('120 loci vary');
});

describe('a search of numbers', () => {
  const SEARCH = {
    budget: 1500,
    numbers: [
      { name: 'Parents', paths: ['start.2.count', 'cycle.4.count'], min: 2, max: 12 },
      { name: 'Lines', paths: ['cycle.1.lines'], min: 2, max: 40 },
    ],
    gain: { stage: 'dh', quantity: 'mean_gv1' },
    diversity: { stage: 'dh', quantity: 'he_neutral' },
    evaluations: 30,
    replicates: 2,
  };
  const asked = { schemes: [SCHEMES[0]], optimise: SEARCH, seed: 6, replicates: 4 };

  test('finds allocations within the budget, and its bundle finds them again byte by byte', {
    tags: 'whole',
  }, async () => {
    const one = await simulated('Best numbers', asked);
    const { optimum } = one.report ?? {};
    expect(optimum?.evaluations).toBe(30);
    const [best, ...others] = optimum?.allocations ?? [];
    expect(best).toMatchObject({ may_be_best: true, affordable: true, difference: { mean: 0 } });
    for (const { cost, affordable } of others) expect(cost <= SEARCH.budget).toBe(affordable);
    expect(optimum?.steps.map(({ name }) => name).toSorted()).toEqual(['Lines', 'Parents']);
    expect(one.methods).toContain('“Parents” (2 to 12), “Lines” (2 to 40) moved under a budget of 1,500 for a cycle.');
    // The scheme as it was and with the best numbers, in pairs.
    const stage = one.report?.schemes[0]?.gain?.stage;
    const { replicates, schemes } = await results(one.id, `stage=${stage}&quantities=gain1`);
    expect([replicates, schemes.map(({ name }) => name)]).toEqual([4, ['Small', 'Small, best numbers']]);
    const gains = one.report?.schemes.map(({ gain }) => gain?.mean ?? Number.NaN) ?? [];
    expect(gains).toEqual(schemes.map(({ points }) => points.at(-1)?.mean));
    expect(schemes[1]?.points.at(-1)?.difference?.mean).toBeCloseTo((gains[1] ?? 0) - (gains[0] ?? 0), 10);
    const rows = await product.services.db.selectFrom('programme_evaluations').selectAll().execute();
    expect(rows).toEqual([]);
    await withBundle(one.id, async (folder) => {
      const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
      const scheme = (await read('scheme-1.json')) as ProgrammeScheme;
      const search = programmeSearch.parse(await read('optimise.json'));
      const material = await readProgrammeFiles(
        { haplotypes: join(folder, 'haplotypes.csv'), map: join(folder, 'map.csv') },
        { threads: 2 },
      );
      const input = openSearch({ scheme, search, founders: material.founderNames.length, seed: 6 });
      const found = await optimiseProgramme({ material, seed: 6, truth: ARCHITECTURE }, input, { threads: 2 });
      const report = optimumReport(input, ['Parents', 'Lines'], found, found.evaluations.length);
      expect(joined(allocationsCsv(report))).toBe(await readFile(join(folder, 'allocations.csv'), 'utf8'));
      expect(joined(stepsCsv(report))).toBe(await textOf(one.steps_url ?? undefined));
      const task = { material, seed: 6, truth: ARCHITECTURE, scheme: await read('scheme-2.json') };
      expect(joined(programmeCsv((await runProgramme(task, 4, { threads: 1 })).rows))).toBe(
        await readFile(join(folder, 'cycles-2.csv'), 'utf8'),
      );
    });
  });

  test('is refused with the field where it cannot be', async () => {
    const refused = async (more: object) => {
      const answer = await create('Refused', { ...asked, ...more });
      expect(answer.status, answer.text).toBe(400);
      return answer.text;
    };
    expect(await refused({ optimise: { ...SEARCH, budget: 100 } })).toContain('The smallest numbers cost');
    expect(await refused({ schemes: SCHEMES })).toContain('A search of numbers is of one scheme');
    expect(await refused({ optimise: { ...SEARCH, gain: { stage: 'x', quantity: 'y' } } })).toContain(
      'No stage measures',
    );
  });
});
