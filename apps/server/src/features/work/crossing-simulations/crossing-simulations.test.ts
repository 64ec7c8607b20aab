import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crossesCsv } from '@heterosis/analysis/crossing/crosses-csv';
import { effectsOfModel } from '@heterosis/analysis/crossing/crossing-effects';
import { evaluateCrosses } from '@heterosis/analysis/crossing/evaluate-crosses';
import { parseModelJson } from '@heterosis/analysis/prediction/model-file';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { CrossingSimulationDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ResultColumn, writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import { download, settledModel, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { crossingMethods } from './methods-paragraph.ts';

const LINES = 60;
const CHROMOSOMES = 3;
const MARKERS = 100;
const BP = 500_000;

/** Inbred lines with two traits determined by their markers; the last two plants are heterozygous. */
function panel(separator: '/' | '|'): { vcf: string; phenotype: string; calls: number[][] } {
  const random = createRandomStream(7, 'crossing test', 'panel');
  const names = [...Array.from({ length: LINES }, (_, i) => `L${i + 1}`), 'H1', 'H2'];
  const rows: string[] = [];
  const calls: number[][] = [];
  for (let c = 1; c <= CHROMOSOMES; c++)
    for (let j = 1; j <= MARKERS; j++) {
      const alleles = names.map(() => (random.uniform() < 0.4 ? 1 : 0));
      const cells = alleles.map((allele, i) =>
        i < LINES ? `${allele}${separator}${allele}` : `${allele}${separator}${random.uniform() < 0.5 ? 1 : 0}`,
      );
      rows.push([c, j * BP, `m${c}_${j}`, 'A', 'C', '.', '.', '.', 'GT', ...cells].join('\t'));
      calls.push(alleles);
    }
  const effects = calls.map(() => [random.uniform() - 0.5, random.uniform() - 0.5] as const);
  const value = (i: number, t: 0 | 1) => calls.reduce((sum, row, j) => sum + (row[i] ?? 0) * (effects[j]?.[t] ?? 0), 0);
  const phenotype = names
    .slice(0, LINES)
    .map(
      (name, i) =>
        `${name},${(20 + value(i, 0) + random.uniform()).toFixed(4)},${(70 + value(i, 1) + random.uniform()).toFixed(4)}`,
    );
  const header = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
  return {
    vcf: `##fileformat=VCFv4.2\n${header}\n${rows.join('\n')}\n`,
    phenotype: `line,yield,flowering\n${phenotype.join('\n')}\n`,
    calls,
  };
}

const CROSSES = 'name,female,male,progeny\nfirst,L1,L2,400\nsecond,l-3,L4,\nof plants,H1,H2,300\nunknown,L1,Nobody,\n';
const MAP = `marker,chromosome,position_cM\n${Array.from({ length: CHROMOSOMES }, (_, c) =>
  Array.from({ length: MARKERS }, (__, j) => `m${c + 1}_${j + 1},${c + 1},${(j * 1.5).toFixed(2)}`).join('\n'),
).join('\n')}\n`;

const { product, owner, member, outsider, project } = await startProject();
let model: ModelDetail;
const files: Record<'phased' | 'unphased' | 'phenotype' | 'crosses' | 'map', FileDetail> = {} as never;

beforeAll(async () => {
  const upload = (name: string, fileType: FileType, bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  files.phased = await upload('phased.vcf', 'GENOTYPE', panel('|').vcf);
  files.unphased = await upload('unphased.vcf', 'GENOTYPE', panel('/').vcf);
  files.phenotype = await upload('trials.csv', 'PHENOTYPE', panel('/').phenotype);
  files.crosses = await upload('crosses.csv', 'CROSSING_TABLE', CROSSES);
  files.map = await upload('map.csv', 'LINKAGE_MAP', MAP);
  const { body } = await owner.call('POST', `${project.address}/models`, {
    name: 'Panel',
    genotype_id: files.phased.id,
    phenotype_id: files.phenotype.id,
    traits: ['yield', 'flowering'],
    n_repetition: 1,
  });
  model = await settledModel(owner, project, body.id);
});

const simulations = () => `${project.address}/crossing_simulations`;
const create = (name: string, more: object = {}, person = owner) =>
  person.call('POST', simulations(), {
    name,
    model_id: model.id,
    crossing_table_id: files.crosses.id,
    linkage_map_id: files.map.id,
    progeny: 500,
    ...more,
  });

async function settled(id: string): Promise<CrossingSimulationDetail> {
  const get = async (): Promise<CrossingSimulationDetail> => (await owner.call('GET', `${simulations()}/${id}`)).body;
  return await until(get, ({ status }) => status !== 'PROCESSING');
}

async function simulated(name: string, more: object = {}): Promise<CrossingSimulationDetail> {
  const made = await create(name, more);
  expect(made.status, made.text).toBe(201);
  return await settled(made.body.id);
}

const results = async (one: CrossingSimulationDetail, query: string): Promise<CrossRow[]> => {
  const answer = await owner.call('GET', `${simulations()}/${one.id}/results?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};

const csvOf = async (url: string | null): Promise<string[]> =>
  (await download(product.app, url ?? '')).text.trimEnd().split('\n');

describe('a crossing simulation', () => {
  let one: CrossingSimulationDetail;
  beforeAll(async () => {
    one = await simulated('Doubled haploids', { low_traits: ['flowering'] });
  });

  test('evaluates the crosses whose parents are there, says which are not, and names its inputs', () => {
    expect(one).toMatchObject({
      status: 'SUCCESS',
      error_extra: null,
      traits: ['yield', 'flowering'],
      model: { id: model.id },
      genotype: { id: files.phased.id },
      crossing_table: { id: files.crosses.id },
      linkage_map: { id: files.map.id },
      report: {
        crosses: 3,
        skipped: 1,
        skipped_crosses: [{ cross: 'unknown', female: 'L1', male: 'Nobody', line: 5 }],
        progeny: 1200,
        interpolated: 0,
        unmapped: 0,
      },
      provenance: {
        seed: 1,
        parameters: { population: 'DH', progeny: 500, low_traits: ['flowering'], bp_per_cm: null },
        input_sha256: {
          genotype: files.phased.sha256,
          crossing_table: files.crosses.sha256,
          linkage_map: files.map.sha256,
        },
      },
    });
  });

  test('gives the figures of the analysis, and progeny that scatter as the exact figures say', async () => {
    const rows = await results(one, 'trait=yield&with=flowering');
    expect(rows.map(({ cross, parent1, parent2, progeny }) => [cross, parent1, parent2, progeny])).toEqual([
      ['first', 'L1', 'L2', 400],
      ['second', 'L3', 'L4', 500],
      ['of plants', 'H1', 'H2', 300],
    ]);
    for (const row of rows) {
      expect(Math.abs((row.sim_mean ?? Number.NaN) - row.mean)).toBeLessThan((5 * row.sd) / Math.sqrt(row.progeny));
      expect(Math.abs((row.sim_sd ?? Number.NaN) / row.sd - 1)).toBeLessThan(5 / Math.sqrt(2 * row.progeny));
      expect(row.usefulness).toBeGreaterThan(row.mean);
      expect(Math.abs(row.correlation ?? 2)).toBeLessThanOrEqual(1);
    }
    const [first] = rows;
    expect(first?.mean).toBeCloseTo(((first?.parent1_value ?? 0) + (first?.parent2_value ?? 0)) / 2, 9);
    const gebv = (await owner.call('GET', `${project.address}/models/${model.id}/gebv?trait=yield&search=L1&limit=500`))
      .body.data;
    const ofL1 = gebv.find(({ individual }: { individual: string }) => individual === 'L1');
    expect(first?.parent1_value).toBeCloseTo(ofL1.gebv, 6);
    const [low] = await results(one, 'trait=flowering');
    expect(low?.usefulness).toBeLessThan(low?.mean ?? 0);
  });

  test('has its tables for download, and every value of the page is in them', async () => {
    const [header, ...lines] = await csvOf(one.result_url);
    expect(header).toBe(
      'cross,parent1,parent2,trait,mean,variance,sd,usefulness,p_transgress,expected_best,sim_mean,sim_variance,population,parent3,parent4,kinship,segregating_markers',
    );
    expect(lines).toHaveLength(6);
    const [row] = await results(one, 'trait=yield');
    expect(lines[0]?.split(',')[4]).toBe(String(row?.mean));
    const progeny = await csvOf(one.progeny_url);
    expect(progeny[0]).toBe('cross,id,value_yield,value_flowering');
    expect(progeny).toHaveLength(1201);
    const values = progeny.slice(1, 401).map((line) => Number(line.split(',')[2]));
    expect(values.reduce((sum, value) => sum + value, 0) / 400).toBeCloseTo(row?.sim_mean ?? 0, 9);
  });

  test('is sorted by every figure in both directions, searched and paged', async () => {
    for (const figure of ['mean', 'sd', 'usefulness', 'p_transgress', 'expected_best'] as const) {
      const values = (await results(one, `trait=yield&sort=-${figure}`)).map((row) => row[figure]);
      expect(values).toEqual([...values].sort((a, b) => b - a));
      const rising = (await results(one, `trait=yield&sort=${figure}`)).map((row) => row[figure]);
      expect(rising).toEqual([...rising].sort((a, b) => a - b));
    }
    expect((await results(one, 'trait=yield&sort=cross')).map(({ cross }) => cross)).toEqual([
      'first',
      'of plants',
      'second',
    ]);
    expect(await results(one, 'trait=yield&search=h2')).toMatchObject([{ cross: 'of plants', place: 2 }]);
    const page = (await owner.call('GET', `${simulations()}/${one.id}/results?trait=yield&limit=2`)).body;
    expect(page).toMatchObject({ total: 3, data: [{ place: 0 }, { place: 1 }] });
    expect(await results(one, `trait=yield&limit=2&cursor=${page.next_cursor}`)).toMatchObject([{ place: 2 }]);
    for (const query of ['trait=none', 'trait=yield&with=none', 'trait=yield&sort=parent1', ''])
      expect((await owner.call('GET', `${simulations()}/${one.id}/results?${query}`)).status).toBe(400);
  });

  test('shows how the progeny of a cross are distributed, and which are the best', async () => {
    const address = `${simulations()}/${one.id}`;
    const { body } = await owner.call('GET', `${address}/crosses/0?trait=yield`);
    expect(body.histogram.counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(400);
    expect(body.histogram.counts.at(-1)).toBeGreaterThan(0);
    const [row] = await results(one, 'trait=yield');
    expect(body.histogram.from).toBeLessThan(row?.mean ?? 0);
    expect(body.histogram.to).toBeGreaterThan(row?.mean ?? 0);
    for (const place of ['3', '-1', '1.5', 'x']) {
      expect((await owner.call('GET', `${address}/crosses/${place}?trait=yield`)).status).toBe(404);
    }
    const best = (await owner.call('GET', `${address}/progeny?trait=yield&limit=5`)).body;
    expect(best.traits).toEqual(['yield', 'flowering']);
    const values = best.data.map((progeny: { values: number[] }) => progeny.values[0]);
    const all = (await csvOf(one.progeny_url)).slice(1).map((line) => Number(line.split(',')[2]));
    expect(values).toEqual(all.sort((a, b) => b - a).slice(0, 5));
    const early = (await owner.call('GET', `${address}/progeny?trait=flowering&cross=1&limit=2`)).body.data;
    expect(early[0].values[1]).toBeLessThanOrEqual(early[1].values[1]);
    expect(early.every(({ cross }: { cross: string }) => cross === 'second')).toBe(true);
  });

  test('tells the intensities by which the usefulness of other shares follows', async () => {
    const { intensity } = one.intensities.find(({ fraction }) => fraction === 0.05) ?? { intensity: Number.NaN };
    expect(intensity).toBeCloseTo(2.0627, 4);
    const [row] = await results(one, 'trait=yield');
    expect(row?.usefulness).toBeCloseTo((row?.mean ?? 0) + intensity * (row?.sd ?? 0), 9);
    expect(one.intensities.map(({ fraction }) => fraction)).toEqual(
      [...one.intensities.map(({ fraction }) => fraction)].sort((a, b) => a - b),
    );
  });

  test('gives the same bytes again, and other progeny with another seed', async () => {
    const again = await simulated('Again', { low_traits: ['flowering'] });
    expect(await csvOf(again.progeny_url)).toEqual(await csvOf(one.progeny_url));
    expect(await csvOf(again.result_url)).toEqual(await csvOf(one.result_url));
    const other = await simulated('Another seed', { seed: 2 });
    expect((await results(other, 'trait=yield'))[0]?.mean).toBe((await results(one, 'trait=yield'))[0]?.mean);
    expect(await csvOf(other.progeny_url)).not.toEqual(await csvOf(one.progeny_url));
  });

  test('is found by name and files, renamed, and deleted by who made it or a manager', async () => {
    const found = async (query: string) => (await owner.call('GET', `${simulations()}?${query}`)).body.data.length;
    expect(await found(`crossing_simulation_name=doubled&crossing_table_id=${files.crosses.id}`)).toBe(1);
    expect(
      await found(`crossing_simulation_name=doubled&genotype_id=${files.phased.id}&linkage_map_id=${files.map.id}`),
    ).toBe(1);
    expect(await found(`genotype_id=${files.unphased.id}`)).toBe(0);
    expect((await create('DOUBLED haploids')).body.code).toBe('request/conflict');
    expect((await member.call('PUT', `${simulations()}/${one.id}`, { name: 'x' })).status).toBe(403);
    expect((await owner.call('PUT', `${simulations()}/${one.id}`, { description: 'd' })).body.description).toBe('d');
    const own = (await create('Of the member', { progeny: 1 }, member)).body;
    await settled(own.id);
    expect((await member.call('DELETE', `${simulations()}/${own.id}`)).status).toBe(204);
    expect((await owner.call('GET', `${simulations()}/${own.id}`)).status).toBe(404);
    expect((await outsider.call('GET', `${simulations()}/${one.id}`)).status).toBe(404);
  });

  test('stands in the overview and comes as a bundle with methods and all tables', async () => {
    const overview = (await owner.call('GET', `${project.address}/overview`)).body;
    expect(overview.crossing_simulations).toBeGreaterThan(0);
    const recent = overview.recent.filter(({ kind }: { kind: string }) => kind === 'crossing_simulation');
    expect(recent[0]).toMatchObject({ state: 'success', key_figure: expect.stringMatching(/^3 crosses, best \S/) });
    const bundle = await product.app.inject({
      url: `${simulations()}/${one.id}/bundle`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const text = bundle.rawPayload.toString('latin1');
    for (const name of ['run.json', 'methods.txt', 'crosses.csv', 'progeny.csv']) expect(text).toContain(name);
  });
});

test('the figures are those of the analysis on the same model', async () => {
  const one = await simulated('Compared', { population: 'F3', traits: ['yield'] });
  const spec = (await download(product.app, model.spec_urls['yield'] ?? '')).text;
  const { calls } = panel('|');
  const parents = { L1: 0, L2: 1, L3: 2, L4: 3 };
  const trained = parseModelJson(spec);
  const expected = await evaluateCrosses(
    {
      effects: effectsOfModel(trained),
      parents: {
        names: Object.keys(parents),
        markers: {
          id: calls.map((_, j) => `m${Math.floor(j / MARKERS) + 1}_${(j % MARKERS) + 1}`),
          chromosome: calls.map((_, j) => String(Math.floor(j / MARKERS) + 1)),
          positionBp: Float64Array.from(calls, (_, j) => ((j % MARKERS) + 1) * BP),
          a1: calls.map(() => 'A'),
          a2: calls.map(() => 'C'),
        },
        parents: Object.values(parents).map((i) => {
          const haplotype = Uint8Array.from(calls, (row) => row[i] ?? 0);
          return { first: haplotype, second: haplotype };
        }),
        filledCalls: new Int32Array(4),
        kinship: null,
      },
      map: {
        markerId: calls.map((_, j) => `m${Math.floor(j / MARKERS) + 1}_${(j % MARKERS) + 1}`),
        chromosome: calls.map((_, j) => String(Math.floor(j / MARKERS) + 1)),
        positionBp: new Float64Array(calls.length).fill(Number.NaN),
        positionCm: Float64Array.from(calls, (_, j) => (j % MARKERS) * 1.5),
      },
      crosses: [
        { name: 'first', female: 'L1', male: 'L2', progenyCount: 400, type: 'biparental', line: 2 },
        { name: 'second', female: 'L3', male: 'L4', progenyCount: null, type: 'biparental', line: 3 },
      ],
      population: 'F3',
      progeny: 500,
    },
    { threads: 1 },
  );
  const lines = [...crossesCsv(expected.rows)].join('').trimEnd().split('\n');
  // The relationship of the parents needs the whole panel; a test of packages/analysis compares it with its
  // definition.
  const withoutKinship = (line: string) => line.split(',').toSpliced(15, 1).join(',');
  const found = (await csvOf(one.result_url)).slice(0, 3);
  expect(found.map(withoutKinship)).toEqual(lines.map(withoutKinship));
  for (const line of found.slice(1)) expect(Number.isFinite(Number(line.split(',')[15] || 'x'))).toBe(true);
});

/** The rows of the CSV of crosses by column name, those of one trait. */
async function csvRows(one: CrossingSimulationDetail, trait: string): Promise<Record<string, string>[]> {
  const [head, ...lines] = (await csvOf(one.result_url)).map((line) => line.split(','));
  return lines
    .map((cells) => Object.fromEntries(cells.map((cell, k) => [head?.[k] ?? '', cell])))
    .filter((row) => row['trait'] === trait);
}

describe('three- and four-way crosses', () => {
  const TABLE = 'name,female,male,parent3,parent4\nfour,L1,L2,L3,L4\nthree,L5,L6,L7,\ntwo,L8,L9,,\nown,L8,L8,,\n';

  test('have all their parents in the results, the relationship of the two sides, and the segregating markers', async () => {
    const table = await product.uploadChecked(owner, project, {
      name: 'more parents.csv',
      fileType: 'CROSSING_TABLE',
      bytes: TABLE,
    });
    const one = await simulated('More parents', { crossing_table_id: table.id, progeny: 50 });
    const rows = await results(one, 'trait=flowering');
    expect(rows.map(({ parent1, parent2, parent3, parent4 }) => [parent1, parent2, parent3, parent4])).toEqual([
      ['L1', 'L2', 'L3', 'L4'],
      ['L5', 'L6', 'L7', null],
      ['L8', 'L9', null, null],
      ['L8', 'L8', null, null],
    ]);
    expect(rows.map((row) => row.parent4_value !== null)).toEqual([true, false, false, false]);
    const [four, three] = rows;
    const { calls } = panel('|');
    // Markers at which the lines differ, straight from the calls.
    const differing = (lines: number[]) => calls.filter((row) => new Set(lines.map((i) => row[i])).size > 1).length;
    expect(rows.map(({ segregating_markers: count }) => count)).toEqual([
      differing([0, 1, 2, 3]),
      differing([4, 5, 6]),
      differing([7, 8]),
      0,
    ]);
    // The mean of a four-way cross of inbred lines without dominance is that of its parents.
    const { parent1_value: a = 0, parent2_value: b = 0, parent3_value: c, parent4_value: d } = four ?? {};
    expect(four?.mean).toBeCloseTo((a + b + (c ?? 0) + (d ?? 0)) / 4, 9);
    const { parent1_value: e = 0, parent2_value: f = 0, parent3_value: g } = three ?? {};
    expect(three?.mean).toBeCloseTo((e + f) / 4 + (g ?? 0) / 2, 9);
    const csv = await csvRows(one, 'flowering');
    expect(rows.map(({ kinship }) => kinship)).toEqual(csv.map((row) => Number(row['kinship'])));
    expect(rows.map(({ segregating_markers: count }) => count)).toEqual(
      csv.map((row) => Number(row['segregating_markers'])),
    );
    // A line is more related to itself than to another.
    expect(rows[3]?.kinship).toBeGreaterThan(rows[2]?.kinship ?? Number.POSITIVE_INFINITY);
    expect(await results(one, 'trait=yield&search=L4')).toMatchObject([{ cross: 'four' }]);
  });
});

test('results of the version before, without the later columns, are shown as they were', async () => {
  const one = await simulated('Of before', { traits: ['yield'], progeny: 20 });
  const { db, storage, tables } = product.services;
  const { result_keys } = await db
    .selectFrom('crossing_simulations')
    .select('result_keys')
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  const keys = result_keys as Record<string, string>;
  const stored = await tables.query<Record<string, string | number>>(
    keys['table'] ?? '',
    (table) => `select * from ${table} order by place`,
  );
  // The columns of version 1.0, in its order.
  const columns = [
    ...['place', 'cross_name', 'parent1', 'parent2', 'names', 'population', 'progeny', 'by_name'],
    ...['parent1_value_0', 'parent2_value_0', 'mean_0', 'rank_mean_0', 'sd_0', 'rank_sd_0', 'usefulness_0'],
    ...['rank_usefulness_0', 'p_transgress_0', 'rank_p_transgress_0', 'expected_best_0', 'rank_expected_best_0'],
    ...['sim_mean_0', 'sim_sd_0'],
  ].map((name): ResultColumn => {
    const values = stored.map((row) => row[name] ?? null);
    const isCount = /^(place|progeny|by_name|rank_.*)$/.test(name);
    return { name, type: typeof values[0] === 'string' ? 'text' : isCount ? 'integer' : 'double', values };
  });
  const directory = await mkdtemp(join(tmpdir(), 'crosses-of-before-'));
  const path = join(directory, 'crosses.parquet');
  await writeResultTable(path, columns);
  const bytes = await readFile(path);
  await rm(directory, { recursive: true });
  const key = `${keys['table']}-of-before`;
  await storage.put(key, bytes, { contentType: 'application/octet-stream', expectedBytes: bytes.length });
  const now = await results(one, 'trait=yield&sort=-usefulness');
  await db
    .updateTable('crossing_simulations')
    .set({ result_keys: JSON.stringify({ ...keys, table: key }) })
    .where('id', '=', one.id)
    .execute();
  const nothing = { parent3: null, parent4: null, parent3_value: null, parent4_value: null };
  expect(await results(one, 'trait=yield&sort=-usefulness')).toEqual(
    now.map((row) => ({ ...row, ...nothing, kinship: null, segregating_markers: null })),
  );
  expect(now.every(({ kinship, segregating_markers: count }) => kinship !== null && count !== null)).toBe(true);
});

describe('Kosambi’s map function', () => {
  let one: CrossingSimulationDetail;
  beforeAll(async () => {
    one = await simulated('Kosambi', { map_function: 'kosambi' });
  });

  test('gives exact figures that differ from Haldane’s in the spread alone', async () => {
    expect(one).toMatchObject({
      status: 'SUCCESS',
      report: { crosses: 3, progeny: 0 },
      progeny_url: null,
      provenance: { parameters: { map_function: 'kosambi', progeny: 500 } },
    });
    const haldane = await simulated('Haldane');
    expect(haldane.provenance.parameters.map_function).toBe('haldane');
    const [exact, usual] = [await results(one, 'trait=yield'), await results(haldane, 'trait=yield')];
    for (const [k, row] of exact.entries()) {
      const other = usual[k];
      expect(row).toMatchObject({ sim_mean: null, sim_sd: null, progeny: other?.progeny, kinship: other?.kinship });
      expect(row.mean).toBeCloseTo(other?.mean ?? Number.NaN, 9);
      expect(Math.abs(row.sd - (other?.sd ?? 0))).toBeGreaterThan(1e-6);
      expect(row.expected_best).toBeGreaterThan(row.mean);
    }
  });

  test('has no progeny to show, and says so in its methods', async () => {
    const address = `${simulations()}/${one.id}`;
    expect((await owner.call('GET', `${address}/crosses/2?trait=yield`)).body).toEqual({
      place: 2,
      trait: 'yield',
      histogram: null,
    });
    expect((await owner.call('GET', `${address}/crosses/3?trait=yield`)).status).toBe(404);
    expect((await owner.call('GET', `${address}/progeny?trait=yield`)).body).toEqual({
      traits: ['yield', 'flowering'],
      data: [],
    });
    const bundle = await product.app.inject({
      url: `${address}/bundle`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const text = bundle.rawPayload.toString('latin1');
    expect(text).toContain('crosses.csv');
    expect(text).not.toContain('progeny.csv');
    expect(crossingMethods(one)).toMatch(/according to Kosambi \(1943\).*3 crosses were evaluated without simulated/);
    expect((await create('x', { map_function: 'morgan' })).status).toBe(400);
  });
});

test('a map that contradicts the genotype ends in an error that says where', async () => {
  const wrong = MAP.replace('m1_3,1,', 'm1_3,2,');
  const map = await product.uploadChecked(owner, project, { name: 'wrong.csv', fileType: 'LINKAGE_MAP', bytes: wrong });
  const refused = await simulated('Contradicted', { linkage_map_id: map.id });
  expect(refused.error_extra).toMatchObject({
    code: 'linkage-map/mismatch',
    message: expect.stringMatching(/Line 4: "m1_3" lies on chromosome 2 in the map and on 1 in the genotype file/),
    action: expect.stringMatching(/map/),
  });
});

test('heterozygous parents without phase end in an error that says who, inbred ones need none', async () => {
  const refused = await simulated('Unphased', { genotype_id: files.unphased.id });
  expect(refused.error_extra).toMatchObject({
    code: 'crossing/unphased-parents',
    message: expect.stringMatching(/H1.*H2/),
    action: expect.stringMatching(/[Pp]hase/),
  });
  const answer = await owner.call('GET', `${simulations()}/${refused.id}/results?trait=yield`);
  expect([answer.status, answer.body.code]).toEqual([409, 'runs/no-result']);
  const inbred = await product.uploadChecked(owner, project, {
    name: 'inbred.csv',
    fileType: 'CROSSING_TABLE',
    bytes: 'female,male\nL1,L2\n',
  });
  const done = await simulated('Inbred', { genotype_id: files.unphased.id, crossing_table_id: inbred.id });
  expect(done.status).toBe('SUCCESS');

  const matched = async (crossing_table_id: string) =>
    (await owner.call('POST', `${project.address}/match`, { genotype_id: files.unphased.id, crossing_table_id })).body;
  expect(await matched(files.crosses.id)).toMatchObject({
    can_run: false,
    reason: expect.stringMatching(/H1.*not phased/),
    phase: {
      unphased: expect.arrayContaining(['H1', 'H2']),
      phased_sibling: { id: files.phased.id, name: files.phased.name },
    },
  });
  expect(await matched(inbred.id)).toMatchObject({ can_run: true, phase: { unphased: [], phased_sibling: null } });
  // For a plan of crosses any individual may be a parent.
  const forPlan = async (genotype_id: string) =>
    (await owner.call('POST', `${project.address}/match`, { genotype_id, model_id: model.id })).body.phase;
  expect(await forPlan(files.unphased.id)).toEqual({
    unphased: ['H1', 'H2'],
    phased_sibling: { id: files.phased.id, name: files.phased.name },
  });
  expect(await forPlan(files.phased.id)).toEqual({ unphased: [], phased_sibling: null });
});

test('phases the genotype first when asked to, waits for the phased file, and simulates with that', {
  tags: 'whole',
}, async () => {
  await product.stopWorker();
  const { body } = await create('Phase, then simulate', { genotype_id: files.unphased.id, phase_first: true });
  expect(body).toMatchObject({ status: 'PROCESSING', genotype_id: files.unphased.id });
  const phasing = async () =>
    (await owner.call('GET', `${project.address}/files/${files.unphased.id}`)).body.derivations[0];
  expect(await phasing()).toMatchObject({ status: 'PROCESSING' });
  // It waits with the phasing, is cancelled and begun again; what is being phased is not phased twice.
  expect((await owner.call('POST', `${simulations()}/${body.id}/cancel`)).body.status).toBe('ERROR');
  expect((await owner.call('POST', `${simulations()}/${body.id}/retry`)).body.status).toBe('PROCESSING');
  await product.startWorker();
  const stages = new Set<string>();
  const get = async (): Promise<CrossingSimulationDetail> =>
    (await owner.call('GET', `${simulations()}/${body.id}`)).body;
  const done = await until(get, ({ status, progress }) => {
    stages.add(progress?.stage ?? '');
    return status !== 'PROCESSING';
  });
  expect(done).toMatchObject({ status: 'SUCCESS', genotype: { name: 'unphased_phased.vcf.gz' } });
  expect(stages).toContain('phase');
  expect(done.provenance.parameters).toMatchObject({
    phased_from: { id: files.unphased.id, name: 'unphased.vcf' },
  });
  expect(done.provenance.parameters).not.toHaveProperty('phase_first');
  // The figures are those of a run with the phased file chosen by hand.
  const byHand = await simulated('By hand', { genotype_id: done.genotype_id });
  const figures = async (one: CrossingSimulationDetail) =>
    (await results(one, 'trait=yield')).map(({ cross, mean, sd }) => [cross, mean, sd]);
  expect(await figures(done)).toEqual(await figures(byHand));
  expect(done.provenance.input_sha256).toEqual(byHand.provenance.input_sha256);
  // The next one finds the phased file.
  const again = await simulated('Phased already', { genotype_id: files.unphased.id, phase_first: true });
  expect(again).toMatchObject({ status: 'SUCCESS', genotype_id: done.genotype_id });
});

test('a cancelled phasing ends the simulation that waits for it, and starting it again phases again', {
  tags: 'whole',
}, async () => {
  const plants = await product.uploadChecked(owner, project, {
    name: 'plants.vcf',
    fileType: 'GENOTYPE',
    bytes: panel('/').vcf,
  });
  await product.stopWorker();
  const { body } = await create('Not phased', { genotype_id: plants.id, phase_first: true });
  expect((await owner.call('DELETE', `${project.address}/files/${plants.id}/phasing`)).status).toBe(200);
  await product.startWorker();
  const ended = await settled(body.id);
  expect(ended.error_extra).toMatchObject({
    code: 'runs/cancelled',
    message: 'The phasing of "plants.vcf" was cancelled.',
  });
  await owner.call('POST', `${simulations()}/${body.id}/retry`);
  expect(await settled(body.id)).toMatchObject({ status: 'SUCCESS', genotype: { name: 'plants_phased.vcf.gz' } });
});

test('without a linkage map the distances come from base pairs, as with the map that says the same', async () => {
  const one = await simulated('By position', { linkage_map_id: null, bp_per_cm: BP / 1.5 });
  expect(one).toMatchObject({ linkage_map: null, provenance: { parameters: { bp_per_cm: BP / 1.5 } } });
  const withMap = await simulated('By map', {});
  const [first, other] = [await results(one, 'trait=yield'), await results(withMap, 'trait=yield')];
  expect(first[0]?.sd).toBeCloseTo(other[0]?.sd ?? 0, 9);
});

test('renames of the run are used', async () => {
  const renames = [{ from: 'Nobody', to: 'L5' }];
  const match = await owner.call('POST', `${project.address}/match`, {
    genotype_id: files.phased.id,
    crossing_table_id: files.crosses.id,
    renames,
  });
  expect(match.body).toMatchObject({ can_run: true, only_right: 0 });
  const one = await simulated('Renamed', { renames });
  expect(one.report).toMatchObject({ crosses: 4, skipped: 0 });
  expect(await results(one, 'trait=yield&search=L5')).toMatchObject([
    { cross: 'unknown', parent1: 'L1', parent2: 'L5' },
  ]);
});

test('what cannot be simulated is refused before anything is written', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000';
  const foreign = await product.uploadChecked(owner, project, {
    name: 'foreign.csv',
    fileType: 'CROSSING_TABLE',
    bytes: 'female,male\nX1,X2\n',
  });
  const refusals = [
    [await create('x', { model_id: unknown }), 404],
    [await create('x', { crossing_table_id: unknown }), 404],
    [await create('x', { crossing_table_id: files.map.id }), 400],
    [await create('x', { linkage_map_id: files.crosses.id }), 400],
    [await create('x', { genotype_id: files.phenotype.id }), 400],
    [await create('x', { population: 'F10' }), 400],
    [await create('x', { progeny: 0 }), 400],
    [await create('x', { selected_fraction: 0 }), 400],
    [await create('x', { traits: ['height'] }), 400],
    [await create('x', { low_traits: ['height'] }), 400],
    [await create(''), 400],
    [await create('x', { crossing_table_id: foreign.id }), 409],
    [await create('x', {}, outsider), 404],
  ] as const;
  for (const [answer, status] of refusals) expect(answer.status, answer.text).toBe(status);
  expect((await create('x', { traits: ['height'] })).body.code).toBe('crossing/trait-not-trained');
  const many = await product.uploadChecked(owner, project, {
    name: 'many.csv',
    fileType: 'CROSSING_TABLE',
    bytes: 'name,female,male,progeny\na,L1,L2,1500000\nb,L1,L3,600000\n',
  });
  expect((await create('x', { crossing_table_id: many.id })).body).toMatchObject({
    code: 'crossing/too-many-progeny',
    detail: expect.stringContaining('2,100,000'),
  });
});

test('one that waits is cancelled and started again', async () => {
  await product.stopWorker();
  const { body } = await create('To cancel');
  expect(body).toMatchObject({ status: 'PROCESSING', progress: { stage: 'queued', runs_before: 0 } });
  expect((await member.call('POST', `${simulations()}/${body.id}/cancel`)).status).toBe(403);
  expect((await owner.call('POST', `${simulations()}/${body.id}/retry`)).body.code).toBe('runs/not-retryable');
  const cancelled = await owner.call('POST', `${simulations()}/${body.id}/cancel`);
  expect(cancelled.body.error_extra.code).toBe('runs/cancelled');
  expect((await owner.call('POST', `${simulations()}/${body.id}/retry`)).body.status).toBe('PROCESSING');
  await product.startWorker();
  expect((await settled(body.id)).status).toBe('SUCCESS');
});

test('one whose crossing table or model is deleted before it has run ends in a clear error; finished ones stay', async () => {
  const finished = await simulated('Finished');
  const doomed = await product.uploadChecked(owner, project, {
    name: 'doomed.csv',
    fileType: 'CROSSING_TABLE',
    bytes: CROSSES,
  });
  await product.stopWorker();
  const ofTable = (await create('Of a doomed table', { crossing_table_id: doomed.id })).body.id;
  const ofModel = (await create('Of a doomed model')).body.id;
  expect((await owner.call('DELETE', `${project.address}/files/${doomed.id}`)).body.code).toBe('files/in-use');
  expect((await owner.call('DELETE', `${project.address}/files/${doomed.id}?cascade=true`)).status).toBe(204);
  expect((await owner.call('DELETE', `${project.address}/models/${model.id}`)).status).toBe(204);
  await product.startWorker();
  for (const id of [ofTable, ofModel])
    expect((await settled(id)).error_extra).toMatchObject({ code: 'models/input-gone' });
  expect(await settled(finished.id)).toMatchObject({ status: 'SUCCESS', model: null, model_id: null });
  expect(await results(finished, 'trait=yield')).toHaveLength(3);
  expect((await owner.call('POST', `${simulations()}/${ofModel}/retry`)).body.code).toBe('models/input-gone');
});
