import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GermplasmValue } from '@heterosis/contracts/data/germplasm';
import type { GebvRow, ModelDetail } from '@heterosis/contracts/work/models';
import type { PredictionDetail, PredictionResults } from '@heterosis/contracts/work/predictions';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  type MaizeFiles,
  SMALL_VCF,
  sendTable,
  settledFile,
  settledModel,
  until,
  uploadMaize,
} from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, member, outsider, project } = await startProject();
let maize: MaizeFiles;
let model: ModelDetail;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
  const { body } = await owner.call('POST', `${project.address}/models`, {
    name: 'Panel',
    genotype_id: maize.genotype.id,
    phenotype_id: maize.phenotype.id,
    traits: ['EarHT', 'dpoll'],
    n_repetition: 1,
  });
  model = await settledModel(owner, project, body.id);
});

const predictions = () => `${project.address}/predictions`;
const create = (name: string, more: object = {}, person = owner) =>
  person.call('POST', predictions(), { name, model_id: model.id, ...more });

async function settled(id: string): Promise<PredictionDetail> {
  const get = async (): Promise<PredictionDetail> => (await owner.call('GET', `${predictions()}/${id}`)).body;
  return await until(get, ({ status }) => status !== 'PROCESSING');
}

async function predicted(name: string, more: object = {}): Promise<PredictionDetail> {
  const made = await create(name, more);
  expect(made.status).toBe(201);
  return await settled(made.body.id);
}

/** The maize panel as text, edited line by line and uploaded as another genotype file. */
async function uploadChanged(
  name: string,
  change: (fields: string[], index: number) => string[] | null,
): Promise<FileDetail> {
  const lines = gunzipSync(await readFile(join(MAIZE, 'genotypes.vcf.gz')))
    .toString()
    .trimEnd()
    .split('\n');
  let index = 0;
  const changed = lines.flatMap((line) => {
    if (line.startsWith('#')) return [line];
    const fields = change(line.split('\t'), index++);
    return fields === null ? [] : [fields.join('\t')];
  });
  return await product.uploadChecked(owner, project, { name, fileType: 'GENOTYPE', bytes: `${changed.join('\n')}\n` });
}

const swapped = ([chromosome = '', position = '', id = '', ref = '', alt = '', ...rest]: string[]): string[] => [
  chromosome,
  position,
  id,
  alt,
  ref,
  ...rest.slice(0, 4),
  ...rest.slice(4).map((call) => call.replace(/[01]/g, (allele) => (allele === '0' ? '1' : '0'))),
];

const valuesOf = async (prediction: PredictionDetail): Promise<Map<string, number[]>> => {
  const { data } = (await owner.call('GET', `${predictions()}/${prediction.id}/results?limit=500`)).body;
  return new Map(data.map((row: { individual: string; gebv: number[] }) => [row.individual, row.gebv]));
};

function momentsOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, sd: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

const largestDifference = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN))));

describe('a prediction of the training panel', () => {
  let prediction: PredictionDetail;
  beforeAll(async () => {
    prediction = await predicted('Same panel');
  });

  test('its GEBVs and those of the model stand on the page of a line', async () => {
    const germplasms = `/projects/${project.projectId}/germplasms`;
    const listed = await sendTable(product, owner, germplasms, ['name,synonyms', 'Iowa stiff stalk 73,b-73']);
    const { body } = await owner.call('GET', `${germplasms}/${listed.body.data[0].id}/values`);
    const { data }: PredictionResults = (
      await owner.call('GET', `${predictions()}/${prediction.id}/results?search=B73&limit=500`)
    ).body;
    const row = data.find(({ individual }) => individual === 'B73');
    const ofRun = (kind: string) => body.data.filter((one: GermplasmValue) => one.source.kind === kind);
    for (const kind of ['prediction', 'model'])
      expect(ofRun(kind)).toMatchObject(
        ['EarHT', 'dpoll'].map((trait, t) => ({
          written: 'B73',
          trait,
          value: expect.closeTo(row?.gebv[t] ?? Number.NaN, 9),
          reliability: expect.closeTo(row?.reliability[t] ?? Number.NaN, 9),
          se: expect.closeTo(row?.se[t] ?? Number.NaN, 9),
        })),
      );
    expect(Math.min(...data.flatMap(({ se }) => se.map((one) => one ?? 0)))).toBeGreaterThan(0);
    expect(ofRun('PHENOTYPE').map(({ trait }: GermplasmValue) => trait)).toContain('EarHT');
  });

  test('takes the genotype of the model when none is chosen and reports how its markers were found', () => {
    expect(prediction).toMatchObject({
      status: 'SUCCESS',
      error_extra: null,
      progress: null,
      traits: ['EarHT', 'dpoll'],
      genotype: { id: maize.genotype.id },
      model: { id: model.id, name: 'Panel' },
      report: { model_markers: 2386, shared: 2386, missing: 0, swapped: 0, variance_share: 1, individuals: 281 },
      provenance: { input_sha256: { genotype: maize.genotype.sha256 }, seed: null },
    });
  });

  test('gives the values of the training and a table for download', async () => {
    const values = await valuesOf(prediction);
    const ranked = (await owner.call('GET', `${project.address}/models/${model.id}/gebv?trait=EarHT&limit=1`)).body
      .data[0];
    expect(values.get(ranked.individual)?.[0]).toBeCloseTo(ranked.gebv, 6);
    const csv = (await download(product.app, prediction.csv_url ?? '')).text.split('\n');
    expect(csv[0]).toBe('id,gebv_EarHT,reliability_EarHT,gebv_dpoll,reliability_dpoll');
    expect(csv).toHaveLength(283);
  });

  test('is sorted by a trait or by name, searched and paged', async () => {
    const results = `${predictions()}/${prediction.id}/results`;
    const best = (await owner.call('GET', `${results}?sort=-dpoll&trait=dpoll&limit=3`)).body;
    expect(best.traits).toEqual(['dpoll']);
    const gebvs = best.data.map(({ gebv }: { gebv: number[] }) => gebv[0]);
    expect(gebvs).toEqual([...gebvs].sort((a, b) => b - a));
    const next = (await owner.call('GET', `${results}?sort=-dpoll&trait=dpoll&limit=3&cursor=${best.next_cursor}`))
      .body;
    expect(next.data[0].gebv[0]).toBeLessThanOrEqual(gebvs[2]);
    const worst = (await owner.call('GET', `${results}?sort=dpoll&limit=1`)).body.data[0];
    expect(worst.gebv[1]).toBe(Math.min(...[...(await valuesOf(prediction)).values()].map(([, dpoll = 0]) => dpoll)));
    expect((await owner.call('GET', `${results}?sort=-individual&limit=1`)).body.data[0].individual).toBe('YU796NS');
    const similar = [...(await valuesOf(prediction)).keys()].filter((name) => name.toLowerCase().includes('cml25'));
    expect((await owner.call('GET', `${results}?search=cml25&limit=1`)).body).toMatchObject({ total: similar.length });
    expect((await owner.call('GET', `${results}?sort=nothing`)).status).toBe(400);

    // The index: standardized over all individuals, early flowering wanted, height twice as important.
    await owner.call('PUT', `${project.address}/traits`, {
      traits: [
        { name: 'dpoll', direction: 'lower', unit: 'd', weight: 1 },
        { name: 'EarHT', direction: 'higher', unit: null, weight: 2 },
      ],
    });
    const {
      traits,
      data: all,
      index_weights,
      index_information,
    } = (await owner.call('GET', `${results}?limit=500`)).body as PredictionResults;
    expect(index_information).toBe('accuracies');
    expect(all.every(({ index_se: se }) => se === null)).toBe(true);
    const byTrait = traits.map((_, t) => all.map(({ gebv }) => gebv[t] ?? 0));
    // Weights are rounded to the three digits that pages show.
    const weights = traits.map((trait, t) =>
      Number(((trait === 'dpoll' ? -1 : 2) / 3 / momentsOf(byTrait[t] ?? []).sd).toPrecision(3)),
    );
    expect(index_weights).toEqual(weights);
    const plain = all.map((_, i) =>
      byTrait.reduce((sum, values, t) => sum + (weights[t] ?? 0) * ((values[i] ?? 0) - momentsOf(values).mean), 0),
    );
    expect(
      largestDifference(
        all.map(({ index }) => index ?? Number.NaN),
        plain,
      ),
    ).toBeLessThan(1e-9);
    const ranked = (await owner.call('GET', `${results}?sort=-index&limit=5`)).body as PredictionResults;
    const strongest = all.map(({ individual }, i) => ({ individual, value: plain[i] ?? 0 }));
    strongest.sort((a, b) => b.value - a.value);
    expect(ranked.data.map(({ individual }) => individual)).toEqual(
      strongest.slice(0, 5).map(({ individual }) => individual),
    );
    const [sixth] = (await owner.call('GET', `${results}?sort=-index&limit=1&cursor=${ranked.next_cursor}`)).body.data;
    expect(sixth.individual).toBe(strongest[5]?.individual);

    // Of each line, the place of its values and what the model was trained on.
    const below = (t: number, value: number) => byTrait[t]?.filter((other) => other < value).length ?? 0;
    for (const { gebv, percentile } of all)
      expect(percentile).toEqual(gebv.map((value, t) => below(t, value) / (all.length - 1)));
    const trained = (await owner.call('GET', `${project.address}/models/${model.id}/gebv?trait=EarHT&limit=500`)).body;
    const observedOf = new Map(trained.data.map((one: GebvRow) => [one.individual, one.observed]));
    const place = traits.indexOf('EarHT');
    for (const { individual, observed } of all) expect(observed?.[place]).toBe(observedOf.get(individual) ?? null);
    expect(all.filter(({ observed }) => observed?.[place] === null).length).toBe(all.length - 279);
    expect((await owner.call('GET', `${results}?trait=EarDia`)).status).toBe(400);
  });

  test('is found by name and model, renamed, and deleted by who made it or a manager', async () => {
    const found = async (query: string) => (await owner.call('GET', `${predictions()}?${query}`)).body.data.length;
    expect(await found(`name=same&model_id=${model.id}&model_name=pan`)).toBe(1);
    expect(await found(`model_genotype_id=${maize.genotype.id}&model_phenotype_id=${maize.phenotype.id}`)).toBe(1);
    expect(await found(`model_genotype_id=${maize.phenotype.id}`)).toBe(0);
    expect((await member.call('PUT', `${predictions()}/${prediction.id}`, { name: 'x' })).status).toBe(403);
    expect((await owner.call('PUT', `${predictions()}/${prediction.id}`, { description: 'd' })).body.description).toBe(
      'd',
    );
    expect((await create('SAME panel')).body.code).toBe('request/conflict');
    const own = (await create('Of the member', {}, member)).body;
    await settled(own.id);
    expect((await member.call('DELETE', `${predictions()}/${own.id}`)).status).toBe(204);
    expect((await owner.call('GET', `${predictions()}/${own.id}`)).status).toBe(404);
    expect((await outsider.call('GET', `${predictions()}/${prediction.id}`)).status).toBe(404);
  });

  test('knows the reliability of new individuals from the genotype of the training, that of a copy being its own', {
    tags: 'whole',
  }, async () => {
    const some = new Map(
      (await owner.call('GET', `${predictions()}/${prediction.id}/results?limit=500`)).body.data.map(
        (row: { individual: string; reliability: number[]; se: number[] }) => [
          row.individual,
          [...row.reliability, ...row.se],
        ],
      ),
    );
    const lines = gunzipSync(await readFile(join(MAIZE, 'genotypes.vcf.gz')))
      .toString()
      .split('\n');
    const renamed = lines.map((line) =>
      line.startsWith('#CHROM')
        ? line
            .split('\t')
            .map((name, column) => (column < 9 ? name : `new ${name}`))
            .join('\t')
        : line,
    );
    const bytes = renamed.join('\n');
    const file = await product.uploadChecked(owner, project, { name: 'new.vcf', fileType: 'GENOTYPE', bytes });
    const other = await predicted('New individuals', { genotype_id: file.id });
    expect(other.report).toMatchObject({ individuals: 281, without_reliability: 0 });
    const { data } = (await owner.call('GET', `${predictions()}/${other.id}/results?limit=500`)).body;
    for (const { individual, reliability, se, genotypic } of data) {
      const own = some.get(individual.replace('new ', '')) as number[];
      for (const [k, value] of [...reliability, ...se].entries()) expect(value).toBeCloseTo(own[k] ?? Number.NaN, 7);
      expect(genotypic).toEqual([null, null]);
    }
  });

  test('a crossing plan without weights of its own has the same index', { tags: 'whole' }, async () => {
    // Planning needs nearly all calls.
    const filled = await uploadChanged('filled.vcf', (fields) => fields.map((one) => one.replace('./.', '0/0')));
    const { id } = await predicted('Filled panel', { genotype_id: filled.id });
    const { traits, index_weights } = (await owner.call('GET', `${predictions()}/${id}/results?limit=1`)).body;
    const plans = `${project.address}/crossing_plans`;
    const { body } = await owner.call('POST', plans, {
      name: 'Same index',
      model_id: model.id,
      genotype_id: filled.id,
      low_traits: ['dpoll'],
      population: null,
    });
    const plan = await until(
      async () => (await owner.call('GET', `${plans}/${body.id}`)).body,
      ({ status }) => status !== 'PROCESSING',
    );
    expect(plan.error_extra).toBeNull();
    expect(plan.provenance.parameters.index_shares).toEqual({ EarHT: 2 / 3, dpoll: 1 / 3 });
    expect(traits.map((trait: string) => plan.report.weights[trait])).toEqual(index_weights);
  });
});

test('hybrids made from the panel are predicted, and stand by their parents', { tags: 'whole' }, async () => {
  const phased = await product.uploadChecked(owner, project, {
    name: 'phased.vcf.gz',
    fileType: 'GENOTYPE',
    bytes: await readFile(join(MAIZE, 'genotypes_phased.vcf.gz')),
  });
  const address = `${project.address}/files/${phased.id}`;
  const made = await owner.call('POST', `${address}/hybrids`, { females: ['B73', 'A632'], males: ['MO17', 'B73'] });
  expect(made.status, made.text).toBe(202);
  const { body: source } = await until(
    () => owner.call('GET', address),
    ({ body }) => body.derivations[0].status !== 'PROCESSING',
  );
  const file = await settledFile(owner, project, source.derivations[0].file.id);
  expect(file).toMatchObject({ name: 'phased_F1.vcf.gz', row_count: 3, status: expect.stringMatching('READY') });
  const ofLines = await valuesOf(await predicted('Phased', { genotype_id: phased.id }));
  const hybrids = await predicted('Hybrids', { genotype_id: file.id });
  const { body } = await owner.call('GET', `${predictions()}/${hybrids.id}/factorial?trait=EarHT`);
  expect(body).toMatchObject({ trait: 'EarHT', females: ['B73', 'A632'], males: ['MO17', 'B73'] });
  const gebvOf = (name: string) => ofLines.get(name)?.[0] ?? Number.NaN;
  for (const { name, female, male, gebv, genotypic } of body.hybrids) {
    const parents = [body.females[female], body.males[male]];
    expect(name).toBe(parents.join('_X_'));
    // Nearly: the few heterozygous calls of a line are missing in its hybrids, and count as the mean of the panel.
    expect(gebv).toBeCloseTo((gebvOf(parents[0]) + gebvOf(parents[1])) / 2, 0);
    expect(genotypic).toBeNull();
  }
  expect(body.hybrids).toHaveLength(3);
  const lines = await predicted('Lines again');
  expect((await owner.call('GET', `${predictions()}/${lines.id}/factorial?trait=EarHT`)).body.hybrids).toEqual([]);
});

test('REF and ALT exchanged give the same predictions, and the exchange is reported', { tags: 'whole' }, async () => {
  const straight = await valuesOf(await predicted('Straight'));
  const genotype = await uploadChanged('swapped.vcf', swapped);
  const prediction = await predicted('Swapped', { genotype_id: genotype.id });
  expect(prediction.report).toMatchObject({ shared: 2386, swapped: 2386, missing: 0 });
  const turned = await valuesOf(prediction);
  for (const [individual, gebv] of straight)
    for (const [t, value] of gebv.entries()) expect(turned.get(individual)?.[t]).toBeCloseTo(value, 8);
});

test('markers that are missing count as the training mean and are reported with the variance they carry', async () => {
  const genotype = await uploadChanged('two thirds.vcf', (fields, index) => (index % 3 === 0 ? null : fields));
  const prediction = await predicted('Two thirds', { genotype_id: genotype.id });
  expect(prediction.status).toBe('SUCCESS');
  expect(prediction.report?.missing).toBeGreaterThan(700);
  expect(prediction.report?.variance_share).toBeLessThan(0.9);
});

test('too few shared markers end in an error that says how many there are, unless the user wants it all the same', async () => {
  const genotype = await uploadChanged('one third.vcf', (fields, index) => (index % 3 === 0 ? fields : null));
  const refused = await predicted('Too few', { genotype_id: genotype.id });
  expect(refused.error_extra).toMatchObject({
    code: 'predictions/too-few-shared-markers',
    message: expect.stringContaining('of the model'),
    action: expect.stringMatching(/./),
  });
  const results = await owner.call('GET', `${predictions()}/${refused.id}/results`);
  expect([results.status, results.body.code]).toEqual([409, 'runs/no-result']);
  const wanted = await predicted('Wanted', { genotype_id: genotype.id, min_marker_share: 0.1 });
  expect(wanted.status).toBe('SUCCESS');
  const foreign = await product.uploadChecked(owner, project, {
    name: 'small.vcf',
    fileType: 'GENOTYPE',
    bytes: SMALL_VCF,
  });
  expect((await predicted('None', { genotype_id: foreign.id, min_marker_share: 0 })).status).toBe('ERROR');
});

test('what cannot be predicted is refused before anything is written', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000';
  const refusals = [
    [await create('x', { model_id: unknown }), 404],
    [await create('x', { genotype_id: unknown }), 404],
    [await create('x', { genotype_id: maize.phenotype.id }), 400],
    [await create(''), 400],
    [await create('x', { model_id: undefined }), 400],
    [await create('x', {}, outsider), 404],
  ] as const;
  for (const [answer, status] of refusals) expect(answer.status).toBe(status);
  await product.stopWorker();
  const { body } = await owner.call('POST', `${project.address}/models`, {
    name: 'Untrained',
    genotype_id: maize.genotype.id,
    phenotype_id: maize.phenotype.id,
    traits: ['EarHT'],
  });
  expect((await create('x', { model_id: body.id })).body.code).toBe('predictions/model-not-trained');
  await owner.call('DELETE', `${project.address}/models/${body.id}`);
  await product.startWorker();
});

test('a prediction that waits is cancelled and started again', async () => {
  await product.stopWorker();
  const { body } = await create('To cancel');
  expect((await member.call('POST', `${predictions()}/${body.id}/cancel`)).status).toBe(403);
  expect((await owner.call('POST', `${predictions()}/${body.id}/retry`)).body.code).toBe('runs/not-retryable');
  const cancelled = await owner.call('POST', `${predictions()}/${body.id}/cancel`);
  expect(cancelled.body.error_extra.code).toBe('runs/cancelled');
  expect((await owner.call('POST', `${predictions()}/${body.id}/cancel`)).body.code).toBe('runs/not-cancellable');
  expect((await owner.call('POST', `${predictions()}/${body.id}/retry`)).body).toMatchObject({
    status: 'PROCESSING',
    error_extra: null,
  });
  await product.startWorker();
  expect((await settled(body.id)).status).toBe('SUCCESS');
});

test('known records of one trait serve the values of the others where the traits were fitted together', {
  tags: 'whole',
}, async () => {
  const [, ...rows] = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n');
  const kept = new Set(await individualsOf(await predicted('All of the panel')));
  const lines = rows.map((row) => row.split(',')[0] ?? '').filter((line) => kept.has(line));
  const late = lines.slice(0, 20);
  const { body } = await owner.call('POST', `${project.address}/models`, {
    ...{ name: 'Together', genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id },
    ...{ traits: ['EarHT', 'dpoll'], multi_trait: true, n_fold: 2, n_repetition: 1, exclusions: { samples: late } },
  });
  const together = await settledModel(owner, project, body.id);
  const records = await product.uploadChecked(owner, project, {
    name: 'early.csv',
    fileType: 'PHENOTYPE',
    bytes: ['line,EarHT', ...late.map((line, k) => `${line},${k % 2 === 0 ? 120 : 20}`), ''].join('\n'),
  });
  const valuesAlone = await csvOf(await predicted('Without records', { model_id: together.id }));
  const known = await predicted('With records', { model_id: together.id, phenotype_id: records.id });
  expect(known).toMatchObject({ status: 'SUCCESS', phenotype: { name: 'early.csv' }, report: { known: 20 } });
  const values = await csvOf(known);
  // Late lines flower late where their ears are high: the traits are correlated.
  for (const [k, line] of late.entries()) {
    const change = (values.get(line)?.['gebv_dpoll'] ?? 0) - (valuesAlone.get(line)?.['gebv_dpoll'] ?? 0);
    expect(Math.sign(change)).toBe(k % 2 === 0 ? 1 : -1);
    expect(values.get(line)?.['reliability_dpoll']).toBeGreaterThan(valuesAlone.get(line)?.['reliability_dpoll'] ?? 1);
  }
  expect((await owner.call('GET', `${predictions()}/${known.id}`)).body.provenance.input_sha256).toHaveProperty(
    'phenotype',
  );

  // So does the index of the ranking: weights are those set above, −1 of days to pollen and 2 of height.
  const ranked: PredictionResults = (await owner.call('GET', `${predictions()}/${known.id}/results?limit=500`)).body;
  expect(ranked.index_information).toBe('model');
  const [height = 0, days = 0] = ranked.index_weights ?? [];
  const apart = ranked.data.map(({ se, index_se: indexSe }) => {
    const [one, other] = [height * (se[0] ?? Number.NaN), days * (se[1] ?? Number.NaN)];
    return ((indexSe ?? Number.NaN) ** 2 - one ** 2 - other ** 2) / (2 * one * other);
  });
  // The correlation of the errors, the same for all lines and above zero as that of the traits.
  expect(apart[0]).toBeGreaterThan(0.05);
  expect(apart[0]).toBeLessThan(1);
  expect(Math.max(...apart) - Math.min(...apart)).toBeLessThan(1e-8);

  // A decision on these values rests on the genetic covariances of their model, and says so.
  const decision = await owner.call('POST', `${project.address}/decisions`, {
    ...{ name: 'Of traits together', source: { kind: 'prediction', id: known.id } },
  });
  expect(decision.status, decision.text).toBe(201);
  const figures = (await owner.call('GET', `${project.address}/models/${together.id}`)).body.multi_trait;
  for (const { trait, genetic_covariance: genetic, has_error_covariance: isKept } of decision.body.columns) {
    expect(isKept).toBe(true);
    expect(genetic).toEqual(
      Object.fromEntries(
        figures.traits.map((other: string, t: number) => [
          other,
          figures.genetic_covariance[figures.traits.indexOf(trait)][t],
        ]),
      ),
    );
  }
  expect(decision.body.notes).toContainEqual(
    expect.stringMatching(/^The traits were predicted together, in “With records”/),
  );

  const refused = (await create('Alone', { phenotype_id: records.id })).body;
  expect(refused).toMatchObject({ code: 'predictions/known-records', invalid_params: [{ name: 'body.phenotype_id' }] });
});

async function csvOf({ csv_url }: PredictionDetail): Promise<Map<string, Record<string, number>>> {
  const [head = '', ...rows] = (await download(product.app, csv_url ?? '')).text.trim().split('\n');
  const names = head.split(',');
  return new Map(
    rows.map((row) => {
      const cells = row.split(',');
      return [cells[0] ?? '', Object.fromEntries(names.map((name, k) => [name, Number(cells[k])]))];
    }),
  );
}

const individualsOf = async (one: PredictionDetail): Promise<string[]> => [...(await csvOf(one)).keys()];

test('a prediction whose model or genotype is deleted before it has run ends in a clear error; finished ones stay', async () => {
  const finished = await predicted('Finished');
  const genotype = await uploadChanged('doomed.vcf', (fields) => fields);
  await product.stopWorker();
  const ofGenotype = (await create('Of a doomed genotype', { genotype_id: genotype.id })).body.id;
  const ofModel = (await create('Of a doomed model')).body.id;
  expect((await owner.call('DELETE', `${project.address}/files/${genotype.id}`)).body.code).toBe('files/in-use');
  expect((await owner.call('DELETE', `${project.address}/files/${genotype.id}?cascade=true`)).status).toBe(204);
  expect((await owner.call('DELETE', `${project.address}/models/${model.id}`)).status).toBe(204);
  await product.startWorker();
  for (const [id, what] of [
    [ofGenotype, 'The genotype file'],
    [ofModel, 'The model'],
  ])
    expect((await settled(id)).error_extra).toMatchObject({
      code: 'models/input-gone',
      message: expect.stringContaining(what),
    });
  expect(await settled(finished.id)).toMatchObject({ status: 'SUCCESS', model: null, model_id: null });
  expect((await valuesOf(finished)).size).toBe(281);
  expect((await owner.call('POST', `${predictions()}/${ofModel}/retry`)).body.code).toBe('models/input-gone');
});
