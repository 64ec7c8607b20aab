// What lists and rules leave out must give the results of a genotype file without it: in training, evaluation, GWAS in
// one piece and in chunks, and prediction.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { beforeAll, describe, expect, test } from 'vitest';
import { download, MAIZE, type MaizeFiles, settledModel, until, uploadMaize } from '../src/testing/product.ts';
import { startProject } from '../src/testing/start-project.ts';

/** 1,024 markers a chunk. */
const SMALL_CHUNKS = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.01, tileMarkers: 8192 } };
const RULES = { max_sample_heterozygosity: 0.02, min_sample_call_rate: 0.9, min_marker_call_rate: 0.8, min_maf: 0.02 };

const { product, owner, project } = await startProject({ changes: SMALL_CHUNKS });
let maize: MaizeFiles;
/** The genotype without what `excluded` leaves out, as text edited by this test. */
let without: FileDetail;
let excluded: Exclusions;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
  const panel = await readPanel();
  excluded = { samples: ['B73', 'mo17'], markers: panel.markers.slice(100, 160), ...RULES };
  without = await product.uploadChecked(owner, project, {
    name: 'without.vcf',
    fileType: 'GENOTYPE',
    bytes: restrictByHand(panel, new Set(['B73', 'MO17']), new Set(excluded.markers)),
  });
});

interface Panel {
  head: string[];
  samples: string[];
  markers: string[];
  rows: string[][];
}

async function readPanel(): Promise<Panel> {
  const lines = gunzipSync(await readFile(join(MAIZE, 'genotypes.vcf.gz')))
    .toString()
    .trimEnd()
    .split('\n');
  const head = lines.filter((line) => line.startsWith('#'));
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
  const samples = (head.at(-1) ?? '').split('\t').slice(FIXED);
  return { head, samples, markers: rows.map((row) => row[2] ?? ''), rows };
}

/** Columns of a VCF before those of the samples. */
const FIXED = 9;
const copiesOf = (call: string): number | null =>
  call.startsWith('.') ? null : Number(call[0] !== '0') + Number(call[2] !== '0');

/** The rules by their definition, a call at a time. */
function restrictByHand({ head, samples, rows }: Panel, lines: Set<string>, markers: Set<string>): string {
  const listed = rows.filter((row) => !markers.has(row[2] ?? ''));
  const keeps = samples.flatMap((name, i) => {
    const calls = listed.map((row) => copiesOf(row[FIXED + i] ?? '.'));
    const called = calls.filter((call) => call !== null);
    const heterozygous = called.filter((call) => call === 1).length;
    const passes =
      called.length / calls.length >= RULES.min_sample_call_rate &&
      heterozygous / called.length <= RULES.max_sample_heterozygosity;
    return !lines.has(name) && passes ? [FIXED + i] : [];
  });
  const kept = listed.filter((row) => {
    const called = keeps.flatMap((column) => copiesOf(row[column] ?? '.') ?? []);
    const frequency = called.reduce((sum, copies) => sum + copies, 0) / (2 * called.length);
    return (
      called.length / keeps.length >= RULES.min_marker_call_rate && Math.min(frequency, 1 - frequency) >= RULES.min_maf
    );
  });
  const chosen = (row: string[]): string => [...row.slice(0, FIXED), ...keeps.map((column) => row[column])].join('\t');
  const names = (head.at(-1) ?? '').split('\t');
  return `${[...head.slice(0, -1), chosen(names), ...kept.map(chosen)].join('\n')}\n`;
}

const post = async (path: string, body: object) => owner.call('POST', `${project.address}/${path}`, body);
const inputs = (changes: object = {}) => ({
  genotype_id: maize.genotype.id,
  phenotype_id: maize.phenotype.id,
  traits: ['dpoll'],
  ...changes,
});

async function settled<Detail extends { status: unknown }>(path: string, body: object): Promise<Detail> {
  const made = await post(path, body);
  expect(made.status, made.text).toBe(201);
  return await until(
    async (): Promise<Detail> => (await owner.call('GET', `${project.address}/${path}/${made.body.id}`)).body,
    ({ status }) => !JSON.stringify(status).includes('PROCESSING'),
  );
}

const textOf = async (url: string | null | undefined): Promise<string> => {
  const { status, text } = await download(product.app, url ?? '');
  expect(status).toBe(200);
  return text;
};

describe('a GWAS that leaves out lines and markers', () => {
  let run: GwasDetail;
  beforeAll(async () => {
    run = await settled<GwasDetail>('gwas', inputs({ name: 'Excluded', exclusions: excluded, fixed: 2 }));
  });

  test('has the results of a file without them, over chunks', { tags: 'whole' }, async () => {
    const plain = await settled<GwasDetail>('gwas', inputs({ name: 'Plain', genotype_id: without.id, fixed: 2 }));
    expect([run.status, plain.status]).toEqual([{ dpoll: 'SUCCESS' }, { dpoll: 'SUCCESS' }]);
    const { left_out, ...summary } = run.summary['dpoll'] ?? {};
    expect(summary).toEqual(plain.summary['dpoll']);
    expect(left_out).toEqual(run.left_out);
    expect(await textOf(run.result_urls['dpoll'])).toBe(await textOf(plain.result_urls['dpoll']));
    expect(plain).toMatchObject({ left_out: null, left_out_csv_url: null });
  });

  test('keeps what was asked, tells what was left out, and names it in the methods', async () => {
    // "mo17" is kept under its name in the genotype.
    expect(run.provenance.parameters.exclusions).toEqual({ ...excluded, samples: ['B73', 'MO17'] });
    const { rules = [], ...sizes } = run.left_out ?? {};
    expect(sizes).toMatchObject({
      samples_read: 281,
      markers_read: 3093,
      samples_kept: without.row_count,
      markers_kept: without.column_count,
    });
    expect(rules.map(({ rule, count }) => [rule, count > 0])).toEqual([
      ['samples', true],
      ['markers', true],
      ['sample_call_rate', expect.any(Boolean)],
      ['sample_heterozygosity', true],
      ['marker_call_rate', true],
      ['maf', true],
    ]);
    const names = (await textOf(run.left_out_csv_url)).trimEnd().split('\n');
    expect(names.slice(0, 3)).toEqual(['rule,limit,name', 'samples,,B73', 'samples,,MO17']);
    expect(names).toHaveLength(1 + rules.reduce((sum, { count }) => sum + count, 0));
    expect(run.methods).toContain(
      'Before the analysis, in this order, were left out: 2 individuals by list; 60 markers',
    );
  });

  test('shows a marker with the calls of the individuals that took part', async () => {
    const top = run.summary['dpoll']?.top?.id ?? '';
    const address = `${project.address}/gwas/${run.id}/markers/${encodeURIComponent(top)}?trait=dpoll`;
    const { body: marker } = await owner.call('GET', address);
    const panel = await readPanel();
    const calls = new Map(panel.rows.map((row) => [row[2], row.slice(FIXED)]));
    const names = (await textOf(run.left_out_csv_url)).split('\n').map((line) => line.split(',')[2]);
    const lines = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n');
    const column = (lines[0] ?? '').split(',').indexOf('dpoll');
    const observed = new Set(
      lines
        .slice(1)
        .map((line) => line.split(','))
        .filter((row) => Number.isFinite(Number.parseFloat(row[column] ?? '')))
        .map(([name]) => name),
    );
    const expected = [0, 0, 0];
    for (const [i, name] of panel.samples.entries()) {
      const copies = copiesOf(calls.get(top)?.[i] ?? '.');
      if (copies !== null && observed.has(name) && !names.includes(name))
        expected[copies] = (expected[copies] ?? 0) + 1;
    }
    const counted = marker.classes.map(({ values }: { values: number[] }) => values.length);
    expect(counted).toEqual(expected.filter((count) => count > 0));
  });
});

test('training and evaluation have the figures of a file without them', { tags: 'whole' }, async () => {
  const body = { n_repetition: 2, traits: ['dpoll', 'EarHT'] };
  const [made, plain] = await Promise.all([
    post('models', inputs({ ...body, name: 'Excluded', exclusions: excluded })),
    post('models', inputs({ ...body, name: 'Plain', genotype_id: without.id })),
  ]);
  expect(made.status, made.text).toBe(201);
  const model = await settledModel(owner, project, made.body.id);
  const reference = await settledModel(owner, project, plain.body.id);
  expect(model.status).toEqual({ dpoll: 'EVALUATED', EarHT: 'EVALUATED' });
  expect(model.evaluation).toEqual(reference.evaluation);
  expect(model.variance).toEqual(reference.variance);
  for (const trait of model.traits)
    for (const urls of ['marker_effects_csv_urls', 'gebv_csv_urls', 'folds_csv_urls'] as const)
      expect(await textOf(model[urls][trait])).toBe(await textOf(reference[urls][trait]));
  expect(model.left_out).toMatchObject({ samples_kept: without.row_count, markers_kept: without.column_count });
  expect(await textOf(model.left_out_csv_url)).toContain('\nsamples,,B73\n');

  // Lines that were not in the training are new to the model, and may be left out of the prediction.
  const whole = await settled<PredictionDetail>('predictions', { name: 'Whole', model_id: model.id });
  const few = await settled<PredictionDetail>('predictions', {
    name: 'Few',
    model_id: model.id,
    exclusions: { only_samples: ['B73', 'MO17', 'A188'], samples: ['A188'] },
  });
  const rowsOf = async (run: PredictionDetail): Promise<string[]> => (await textOf(run.csv_url)).trimEnd().split('\n');
  expect([whole.status, few.status]).toEqual(['SUCCESS', 'SUCCESS']);
  const expected = (await rowsOf(whole)).filter((row) => /^(id|B73|MO17),/.test(row)).map((row) => row.split(','));
  const found = (await rowsOf(few)).map((row) => row.split(','));
  expect(found.map(([name]) => name)).toEqual(['id', 'B73', 'MO17']);
  expect(found[0]).toEqual(expected[0]);
  // Products of matrices of another shape may be summed in another order.
  for (const [r, row] of found.entries())
    for (const [c, value] of row.slice(1).entries())
      if (r > 0) expect(Number(value) / Number(expected[r]?.[c + 1]), row[0]).toBeCloseTo(1, 12);
  expect(few.left_out).toMatchObject({ samples_read: 281, samples_kept: 2, rules: [{ count: 278 }, { count: 1 }] });
});

test('duplicates are those that the check of the file warns of, and one of each group stays', {
  tags: 'whole',
}, async () => {
  const { body: qc } = await owner.call('GET', `${project.address}/files/${maize.genotype.id}/qc`);
  const pairs: { first: string; second: string }[] = qc.duplicates;
  expect(pairs.length).toBeGreaterThan(0);
  const run = await settled<GwasDetail>('gwas', inputs({ name: 'Once', exclusions: { duplicates: true } }));
  const left = (await textOf(run.left_out_csv_url))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',')[2]);
  for (const { first, second } of pairs) expect(left.includes(first) || left.includes(second)).toBe(true);
  expect(left.every((name) => pairs.some(({ first, second }) => first === name || second === name))).toBe(true);
});

test('the match tells beforehand what is kept, and which names are unknown', async () => {
  const ids = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id };
  const plain = await post('match', ids);
  expect(plain.body).toMatchObject({ kept: null, left: { count: 281 }, both: 279 });
  const lists = { samples: ['b73'], markers: excluded.markers };
  const listed = await post('match', { ...ids, exclusions: lists });
  expect(listed.body).toMatchObject({
    left: { count: 280 },
    both: 278,
    kept: { samples: 280, markers: 3033, is_exact: true },
  });
  // Rules that follow on each other are counted by the figures of the whole file.
  const all = await post('match', { ...ids, exclusions: excluded });
  expect(all.body.kept.is_exact).toBe(false);
  expect(Math.abs(all.body.kept.samples - (without.row_count ?? 0))).toBeLessThan(8);
  expect(Math.abs(all.body.kept.markers - (without.column_count ?? 0))).toBeLessThan(40);
  const unknown = await post('match', { ...ids, exclusions: { samples: ['Nobody'] } });
  expect(unknown.body).toMatchObject({ can_run: false, reason: expect.stringContaining('"Nobody"') });
});

describe('a run is refused', () => {
  test.each([
    ['an unknown line', { samples: ['B73', 'Nobody'] }, 'samples'],
    ['an unknown line to keep', { only_samples: ['Nobody'] }, 'only_samples'],
    ['an unknown marker', { markers: ['PZB00859.1x'] }, 'markers'],
  ])('with %s on its list', async (_what, exclusions, field) => {
    for (const path of ['gwas', 'models']) {
      const { status, body } = await post(path, inputs({ name: 'x', exclusions }));
      expect([status, body.code]).toEqual([400, 'match/not-in-genotype']);
      expect(body.invalid_params).toMatchObject([{ name: `body.exclusions.${field}` }]);
    }
  });

  test.each([
    ['a limit above 1', { min_sample_call_rate: 1.5 }],
    ['an empty limit', { min_maf: null }],
    ['an unknown rule', { min_call_rate: 0.9 }],
    ['too many names', { samples: Array.from({ length: 20_001 }, (_, i) => `L${i}`) }],
  ])('with %s', async (_what, exclusions) => {
    const { status, body } = await post('gwas', inputs({ name: 'x', exclusions }));
    expect([status, body.code]).toEqual([400, 'request/invalid']);
  });

  test('when the lists leave no line with a phenotype, and ends when the rules leave nothing', async () => {
    const { status, body } = await post(
      'gwas',
      inputs({ name: 'x', exclusions: { only_samples: ['B73'], samples: ['B73'] } }),
    );
    expect([status, body.code]).toEqual([409, 'match/nothing-in-common']);
    const run = await settled<GwasDetail>('gwas', inputs({ name: 'Nothing', exclusions: { min_sample_call_rate: 1 } }));
    expect(run.status).toEqual({ dpoll: 'ERROR' });
    expect(run.error_extras['dpoll']).toMatchObject({
      code: 'analysis/nothing-left',
      action: expect.stringContaining('limit'),
    });
  });
});
