import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ModelDetail, ModelEvaluation } from '@heterosis/contracts/work/models';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  type MaizeFiles,
  SMALL_VCF,
  settledModel,
  until,
  uploadMaize,
} from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { trainModelJob } from './jobs.ts';
import { modelMethods } from './methods-paragraph.ts';
import { modelJobRegistrations } from './model-jobs.handler.ts';

const CANCELLED = { code: 'runs/cancelled', message: 'Cancelled by olga.', action: 'Start it again.' };

const { product, owner, member, outsider, project } = await startProject();
let maize: MaizeFiles;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
});

const models = () => `${project.address}/models`;
const inputs = () => ({ genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id });
const create = (name: string, more: object = {}, person = owner) =>
  person.call('POST', models(), { name, ...inputs(), traits: ['EarHT', 'dpoll', 'EarDia'], ...more });

const failedOnOverview = async (): Promise<{ id: string; kind: string }[]> =>
  (await owner.call('GET', `${project.address}/overview`)).body.failed;

describe('a model of three traits', () => {
  let id: string;
  beforeAll(async () => {
    const made = await create('Panel', {}, member);
    expect(made.status).toBe(201);
    expect(made.body.status).toEqual({ EarHT: 'TRAINING', dpoll: 'TRAINING', EarDia: 'TRAINING' });
    id = made.body.id;
    await settledModel(member, project, id);
  });
  const get = async () => (await owner.call('GET', `${models()}/${id}`)).body;

  test('is trained and evaluated with the default settings, and has its provenance', async () => {
    const model = await get();
    expect(model).toMatchObject({
      status: { EarHT: 'EVALUATED', dpoll: 'EVALUATED', EarDia: 'EVALUATED' },
      error_extras: { EarHT: null, dpoll: null, EarDia: null },
      progress: { EarHT: null },
      n_fold: 5,
      n_repetition: 10,
      optimize_time: 120,
      model_type: 'RRBLUP',
      include_dominance_effects: false,
      genotype: { id: maize.genotype.id, name: 'genotypes.vcf.gz' },
      created_by: 'max@example.org',
      fit: { EarHT: { n: 279, m: 2386, converged: true } },
      provenance: {
        seed: 1,
        software_version: '1.0.0',
        input_sha256: { genotype: maize.genotype.sha256, phenotype: maize.phenotype.sha256 },
      },
    });
    expect(model.provenance.finished_at).not.toBeNull();
  });

  test('has the accuracy that rrBLUP reaches on the same panel', async () => {
    // Predictive ability over 10 × 5 folds; the folds differ, so only the magnitude is compared (tests of
    // packages/analysis compare fold by fold).
    const { evaluation, variance } = await get();
    expect(evaluation.EarHT.pearson_r.mean).toBeCloseTo(0.49, 1);
    expect(evaluation.dpoll.pearson_r.mean).toBeCloseTo(0.71, 1);
    expect(variance.dpoll.kinship_pve).toBeGreaterThan(0.8);
    const { additive, residual, h2, standard_errors } = variance.dpoll;
    expect(h2).toBeCloseTo(additive / (additive + residual), 12);
    expect(standard_errors.h2).toBeGreaterThan(0.01);
    expect(standard_errors.h2).toBeLessThan(0.3);
  });

  test('has r/√h² as accuracy, and none when it was evaluated by a version that did not compute it', async () => {
    const { evaluation, variance } = await get();
    const { pearson_r, accuracy } = evaluation.EarHT;
    const explained = variance.EarHT.kinship_pve;
    // The file has one value per line, so only the kinship carries information on heritability.
    expect(accuracy).toEqual({
      value: expect.closeTo(pearson_r.mean / Math.sqrt(explained), 10),
      h2: expect.closeTo(explained, 10),
      basis: 'genomic',
      note: null,
    });
    expect(evaluation.EarHT.phenotype_r).toBeNull();
    const shown = async () => (await owner.call('GET', `${models()}/${id}/evaluation?trait=EarHT`)).body.evaluation;
    expect((await shown()).accuracy).toEqual(accuracy);

    const traits = product.services.db
      .updateTable('model_traits')
      .where('model_id', '=', id)
      .where('trait', '=', 'EarHT');
    await traits.set({ evaluation: sql`evaluation - 'accuracy'` }).execute();
    expect((await get()).evaluation.EarHT).toEqual({ ...evaluation.EarHT, accuracy: null });
    expect((await owner.call('GET', models())).status).toBe(200);
    await traits.set({ evaluation: sql`${JSON.stringify(evaluation.EarHT)}::jsonb` }).execute();
  });

  test('gives its specification, effects, values, folds and a plot page for download', async () => {
    const model = await get();
    const spec = JSON.parse((await download(product.app, model.spec_urls.EarHT)).text);
    expect(spec.traits.map(({ name }: { name: string }) => name)).toEqual(['EarHT']);
    const effects = (await download(product.app, model.marker_effects_csv_urls.EarHT)).text;
    expect(effects.split('\n')[0]).toBe('id,chr,pos,A1,A2,freqA2,additive');
    const gebv = (await download(product.app, model.gebv_csv_urls.EarHT)).text;
    expect(gebv.split('\n')[1]).toMatch(/^1,/);
    expect((await download(product.app, model.folds_csv_urls.EarHT)).text).toContain('rep10');
    const plot = await download(product.app, model.evaluation_plot_html_urls.EarHT);
    expect(plot.text).not.toContain('<script');
    expect(plot.text.match(/<circle/g)).toHaveLength(279);
    expect(plot.headers).toMatchObject({ 'content-security-policy': expect.stringContaining('sandbox') });
  });

  test('shows evaluation, effects and ranking page by page', async () => {
    const evaluation = (await owner.call('GET', `${models()}/${id}/evaluation?trait=dpoll`)).body;
    expect(evaluation.points).toHaveLength(276);
    expect(evaluation.per_fold).toHaveLength(50);
    expect(evaluation.per_repetition).toHaveLength(10);

    const first = (await owner.call('GET', `${models()}/${id}/effects?trait=dpoll&limit=2`)).body;
    const second = (
      await owner.call('GET', `${models()}/${id}/effects?trait=dpoll&limit=2&cursor=${first.next_cursor}`)
    ).body;
    const csv = (await download(product.app, (await get()).marker_effects_csv_urls.dpoll)).text.split('\n');
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(
      csv.slice(1, 5).map((line) => line.split(',')[0]),
    );
    const largest = (await owner.call('GET', `${models()}/${id}/effects?trait=dpoll&sort=-abs_effect&limit=500`)).body
      .data;
    const sizes = largest.map(({ additive }: { additive: number }) => Math.abs(additive));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect((await owner.call('GET', `${models()}/${id}/effects?trait=dpoll&search=pza01271`)).body.data[0].id).toMatch(
      /^PZA01271/,
    );

    const best = (await owner.call('GET', `${models()}/${id}/gebv?trait=EarHT&limit=3`)).body.data;
    expect(best.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3]);
    const worst = (await owner.call('GET', `${models()}/${id}/gebv?trait=EarHT&sort=gebv&limit=1`)).body.data[0];
    expect(worst.rank).toBe(281);
    const byName = (await owner.call('GET', `${models()}/${id}/gebv?trait=EarHT&sort=individual&limit=1`)).body.data[0];
    expect(byName.individual).toBe('33-16');
  });

  test('answers for a trait it does not have and for a cursor of another list with a clear problem', async () => {
    expect((await owner.call('GET', `${models()}/${id}/effects?trait=nope`)).body.code).toBe(
      'models/trait-not-in-phenotype',
    );
    expect((await owner.call('GET', `${models()}/${id}/effects`)).status).toBe(400);
    expect((await owner.call('GET', `${models()}/${id}/effects?trait=dpoll&cursor=bm8`)).status).toBe(400);
  });

  test('trained again gives the same bytes', async () => {
    const { body } = await create('The same again');
    const again = await settledModel(owner, project, body.id);
    const model = await get();
    for (const kind of ['marker_effects_csv_urls', 'gebv_csv_urls', 'folds_csv_urls'] as const)
      expect((await download(product.app, again[kind]['dpoll'] ?? '')).text).toBe(
        (await download(product.app, model[kind].dpoll)).text,
      );
    expect(again.evaluation).toEqual(model.evaluation);
  });

  test('is found by file and name, renamed by who made it or a manager, and deleted', async () => {
    const byFile = await owner.call('GET', `${models()}?genotype_id=${maize.genotype.id}&name=PAN`);
    expect(byFile.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await owner.call('GET', `${models()}?phenotype_id=${maize.genotype.id}`)).body.data).toEqual([]);
    expect((await member.call('PUT', `${models()}/${id}`, { description: 'First try' })).body.description).toBe(
      'First try',
    );
    expect((await owner.call('PUT', `${models()}/${id}`, { name: 'THE same again' })).body.code).toBe(
      'request/conflict',
    );
    expect((await owner.call('PUT', `${models()}/${id}`, { name: '' })).status).toBe(400);
    const other = (await create('Of the owner', { traits: ['EarHT'] })).body.id;
    await settledModel(owner, project, other);
    expect((await member.call('PUT', `${models()}/${other}`, { name: 'x' })).status).toBe(403);
    expect((await member.call('DELETE', `${models()}/${other}`)).status).toBe(403);
    expect((await outsider.call('GET', `${models()}/${other}`)).status).toBe(404);
    expect((await owner.call('DELETE', `${models()}/${other}`)).status).toBe(204);
    expect((await owner.call('GET', `${models()}/${other}`)).status).toBe(404);
  });

  test('keeps its results when a manager deletes its files, which are refused to anybody else', async () => {
    const file = `${project.address}/files/${maize.phenotype.id}`;
    const refused = await owner.call('DELETE', file);
    expect([refused.status, refused.body.code]).toEqual([409, 'files/in-use']);
    expect(refused.body.details.dependants).toContainEqual({ id, name: 'Panel', kind: 'model' });
    expect((await member.call('GET', `${file}/usage`)).body).toEqual({ data: refused.body.details.dependants });
    expect((await outsider.call('GET', `${file}/usage`)).status).toBe(404);
    expect((await member.call('DELETE', `${file}?cascade=true`)).status).toBe(403);
    expect((await owner.call('DELETE', `${file}?cascade=true`)).status).toBe(204);
    const model = await get();
    expect(model).toMatchObject({ phenotype: null, phenotype_id: null, status: { EarHT: 'EVALUATED' } });
    expect((await owner.call('GET', `${models()}/${id}/gebv?trait=EarHT&limit=1`)).status).toBe(200);
    maize = { ...maize, phenotype: await uploadPhenotype('phenotypes.csv') };
  });
});

describe('traits that are fitted together', () => {
  test('give correlations, values and evaluations of lines with and without other records', async () => {
    const made = await create('Together', {
      traits: ['EarHT', 'dpoll'],
      multi_trait: true,
      n_fold: 2,
      n_repetition: 1,
    });
    expect(made.status).toBe(201);
    const model = await settledModel(owner, project, made.body.id);
    expect(model.status).toEqual({ EarHT: 'EVALUATED', dpoll: 'EVALUATED' });
    const together = model.multi_trait;
    expect(together).toMatchObject({ traits: ['EarHT', 'dpoll'], information: 'average', converged: true });
    expect(model.fit['EarHT']).not.toHaveProperty('multi_trait');
    const [[, genetic] = []] = together?.genetic_correlation ?? [];
    expect(genetic?.value).toBeGreaterThan(0.3);
    expect(genetic?.se).toBeGreaterThan(0.02);
    expect(model.variance['dpoll']?.additive).toBe(together?.genetic_covariance[1]?.[1]);

    for (const trait of ['EarHT', 'dpoll']) {
      const compared = model.evaluation[trait]?.compared;
      expect(compared?.models.map(({ model: name, scheme }) => `${name} ${scheme}`)).toEqual([
        'rrblup cv1',
        'multi-trait cv1',
        'multi-trait cv2',
      ]);
      expect(compared?.differences.map(({ first, second }) => [first, second])).toEqual([
        [1, 0],
        [2, 0],
        [2, 1],
      ]);
      const [one, both] = compared?.models ?? [];
      const [difference] = compared?.differences ?? [];
      expect(difference?.difference).toBeCloseTo((both?.fold_r.mean ?? 0) - (one?.fold_r.mean ?? 0), 10);
      expect([0, 1]).toContain(compared?.recommended);
      const csv = (await download(product.app, model.compared_csv_urls[trait] ?? '')).text.trim().split('\n');
      expect(csv[0]).toBe('model,scheme,trait,repetition,fold,n,r');
      expect(csv).toHaveLength(1 + 3 * 2);
      const shown = (await owner.call('GET', `${models()}/${model.id}/evaluation?trait=${trait}`)).body;
      expect(shown.per_fold).toHaveLength(2);
      expect(shown.evaluation).not.toHaveProperty('compared');
    }
    const spec = JSON.parse((await download(product.app, model.spec_urls['dpoll'] ?? '')).text);
    expect(spec.multiTrait.genetic_covariance).toEqual(together?.genetic_covariance);
  });

  test('may be seven with a factor, whose covariances have rank one', { tags: 'whole' }, async () => {
    const [, ...rows] = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n');
    const traits = Array.from({ length: 7 }, (_, t) => `T${t}`);
    // Mixtures of height and flowering, each with an error of its own; without records here and there.
    const lines = rows.map((row, i) => {
      const [line = '', height = '', flowering = ''] = row.split(',');
      const values = traits.map((_, t) => {
        if (height === '' || flowering === '' || (7 * i + 3 * t) % 11 === 0) return '';
        const error = (((i * 7919 + t * 104_729) % 1000) / 1000 - 0.5) * 20;
        return ((0.2 + 0.1 * t) * Number(height) + (1 - 0.1 * t) * Number(flowering) + error).toFixed(3);
      });
      return [line, ...values].join(',');
    });
    const bytes = Buffer.from([['sample', ...traits].join(','), ...lines].join('\n'));
    const phenotype = await product.uploadChecked(owner, project, { name: 'seven.csv', fileType: 'PHENOTYPE', bytes });
    const asked = { traits, multi_trait: true, n_fold: 2, n_repetition: 1, phenotype_id: phenotype.id };
    expect((await create('Unstructured', asked)).body.invalid_params).toMatchObject([{ name: 'body.traits' }]);
    const made = await create('One factor', { ...asked, genetic_factors: 1 });
    expect(made.status, made.text).toBe(201);
    const model = await settledModel(owner, project, made.body.id);
    expect(new Set(Object.values(model.status))).toEqual(new Set(['EVALUATED']));
    expect(model.multi_trait).toMatchObject({ traits, converged: true });
    const genetic = model.multi_trait?.genetic_covariance ?? [];
    const at = (a: number, b: number): number => genetic[a]?.[b] ?? Number.NaN;
    for (const [a, b, c, d] of [
      [0, 1, 2, 3],
      [1, 3, 4, 6],
      [0, 5, 2, 6],
    ] as const)
      expect((at(a, b) * at(c, d)) / (at(a, c) * at(b, d))).toBeCloseTo(1, 6);
    const gebv = (await owner.call('GET', `${models()}/${model.id}/gebv?trait=T6&limit=1`)).body;
    expect(gebv.data).toHaveLength(1);
  });

  test('are two to six, in random folds', async () => {
    const refused = async (more: object) => (await create('Refused', { multi_trait: true, ...more })).body;
    expect((await refused({ traits: ['EarHT'] })).invalid_params).toMatchObject([{ name: 'body.traits' }]);
    expect((await refused({ dominance_effect: true })).invalid_params).toMatchObject([{ name: 'body.multi_trait' }]);
    expect((await refused({ leave_out: 'family' })).invalid_params).toMatchObject([{ name: 'body.multi_trait' }]);
    const factors = { multi_trait: false, genetic_factors: 1 };
    expect((await refused(factors)).invalid_params).toMatchObject([{ name: 'body.genetic_factors' }]);
  });
});

describe('models on the same folds', () => {
  test('are compared with the one that is trained, by paired differences and what they took', async () => {
    const made = await create('Compared', {
      ...{ traits: ['dpoll'], n_fold: 3, n_repetition: 1, compared_models: ['bayescpi', 'gaussian'] },
      ...{ cycles: 400, burn_in: 100, chains: 2 },
    });
    const model = await settledModel(owner, project, made.body.id);
    const { compared, pearson_r } = model.evaluation['dpoll'] ?? {};
    expect(compared?.models).toMatchObject([
      { model: 'rrblup', scheme: 'cv1' },
      { model: 'gaussian', bandwidth: expect.any(Number) },
      { model: 'bayescpi', folds_not_met: 3, r_hat: expect.any(Number) },
    ]);
    expect(compared?.differences).toHaveLength(3);
    // The folds are those of the evaluation itself.
    const { per_fold } = (await owner.call('GET', `${models()}/${model.id}/evaluation?trait=dpoll`)).body;
    const mean = per_fold.reduce((sum: number, { r }: { r: number }) => sum + r, 0) / 3;
    expect(compared?.models[0]?.fold_r.mean).toBeCloseTo(mean, 8);
    expect(pearson_r?.mean).toBeGreaterThan(0.6);
    expect(model.provenance.parameters).toMatchObject({ compared_models: ['bayescpi', 'gaussian'], cycles: 400 });
  });

  test('may be sampled: training has inclusion probabilities and says whether chains have met', {
    tags: 'whole',
  }, async () => {
    const made = await create('Sampled', {
      ...{ traits: ['dpoll'], n_fold: 2, n_repetition: 1, model_type: 'BAYESCPI' },
      ...{ cycles: 400, burn_in: 100, chains: 2 },
    });
    expect(made.status).toBe(201);
    const model = await settledModel(owner, project, made.body.id);
    expect(model).toMatchObject({ model_type: 'BAYESCPI', status: { dpoll: 'EVALUATED' } });
    expect(model.fit['dpoll']).toMatchObject({
      log_likelihood: null,
      converged: false,
      sampling: { model: 'bayescpi', chains: 2, cycles: 400, burn_in: 100, has_met: false },
    });
    expect(model.evaluation['dpoll']?.compared?.models.map(({ model: name }) => name)).toEqual(['rrblup', 'bayescpi']);
    expect(model.evaluation['dpoll']?.pearson_r.mean).toBeGreaterThan(0.5);
    const effects = (await owner.call('GET', `${models()}/${model.id}/effects?trait=dpoll&limit=500`)).body.data;
    expect(effects.every(({ pip }: { pip: number }) => pip >= 0 && pip <= 1)).toBe(true);
    expect(Math.max(...effects.map(({ pip }: { pip: number }) => pip))).toBeGreaterThan(0);
    const csv = (await download(product.app, model.marker_effects_csv_urls['dpoll'] ?? '')).text.split('\n');
    expect(csv[0]).toBe('id,chr,pos,A1,A2,freqA2,additive,pip');
    // It predicts like any other.
    const predicted = await owner.call('POST', `${project.address}/predictions`, {
      name: 'Sampled',
      model_id: model.id,
    });
    expect(predicted.status).toBe(201);
    const done = await until(
      async () => (await owner.call('GET', `${project.address}/predictions/${predicted.body.id}`)).body,
      ({ status }: { status: string }) => status !== 'PROCESSING',
    );
    expect(done.status).toBe('SUCCESS');
    const methods = (await owner.call('GET', `${models()}/${model.id}`)).body.provenance.parameters;
    expect(methods).toMatchObject({ model_type: 'BAYESCPI', cycles: 400 });
  });

  test('may be a kernel, by which lines are predicted from the genotype of the training, and no crosses', {
    tags: 'whole',
  }, async () => {
    const asked = { traits: ['dpoll'], n_fold: 2, n_repetition: 1, model_type: 'GAUSSIAN' };
    const { body } = await create('Kernel', { ...asked, fixed_markers: ['PZA03591.1'] });
    const model = await settledModel(owner, project, body.id);
    expect(model).toMatchObject({ model_type: 'GAUSSIAN', status: { dpoll: 'EVALUATED' } });
    const { kernel, m } = model.fit['dpoll'] ?? {};
    // The least bandwidth tried: days to pollen are additive.
    const least = expect.closeTo(Math.exp(-3), 10);
    expect(kernel).toMatchObject({ model: 'gaussian', is_at_end: true, bandwidths: [least] });
    expect(kernel?.profile).toHaveLength(13);
    expect(model.evaluation['dpoll']?.compared?.models.map(({ model: name }) => name)).toEqual(['rrblup', 'gaussian']);
    expect(model.evaluation['dpoll']?.pearson_r.mean).toBeGreaterThan(0.5);
    expect(model.marker_effects_csv_urls).toEqual({ dpoll: null });
    expect((await owner.call('GET', `${models()}/${model.id}/effects?trait=dpoll`)).status).toBe(409);
    expect(modelMethods(model)).toContain('the Gaussian kernel of squared distances between marker codes');

    const asking = { genotype_id: maize.genotype.id, model_id: model.id };
    const match = await owner.call('POST', `${project.address}/match`, asking);
    expect(match.body).toMatchObject({ both: m, panel: { missing: 0, variance_share: null } });
    const predicted = await owner.call('POST', `${project.address}/predictions`, {
      name: 'By the kernel',
      model_id: model.id,
    });
    const address = `${project.address}/predictions/${predicted.body.id}`;
    const done = await until(
      async () => (await owner.call('GET', address)).body,
      ({ status }: { status: string }) => status !== 'PROCESSING',
    );
    expect(done).toMatchObject({ status: 'SUCCESS', report: { kernel: 'gaussian', without_reliability: 0 } });
    const rows = async (path: string) => (await owner.call('GET', `${path}&limit=500`)).body.data;
    const trained = await rows(`${models()}/${model.id}/gebv?trait=dpoll`);
    const gebvOf = new Map(trained.map((row: { individual: string; gebv: number }) => [row.individual, row.gebv]));
    const ranked = await rows(`${address}/results?trait=dpoll`);
    expect(ranked).toHaveLength(281);
    for (const { individual, gebv } of ranked) expect(gebv[0]).toBeCloseTo(gebvOf.get(individual) as number, 8);

    const crossed = { name: 'No', model_id: model.id, crossing_table_id: maize.phenotype.id };
    const refused = await owner.call('POST', `${project.address}/crossing_simulations`, crossed);
    expect([refused.status, refused.body.code]).toEqual([409, 'models/no-marker-effects']);
  });

  test('have no pedigree, weights or covariates', async () => {
    const refused = async (more: object) => (await create('Refused', { compared_models: ['gaussian'], ...more })).body;
    const name = 'body.compared_models';
    expect((await refused({ covariates: ['EarDia'], traits: ['dpoll'] })).invalid_params).toMatchObject([{ name }]);
    expect((await refused({ multi_trait: true })).invalid_params).toMatchObject([{ name }]);
    expect((await refused({ weights: 'se', standard_errors: ['EarDia'], traits: ['dpoll'] })).code).toMatch(
      /^(models|request)/,
    );
  });
});

async function uploadPhenotype(name: string, bytes?: string) {
  return await product.uploadChecked(owner, project, {
    name,
    fileType: 'PHENOTYPE',
    bytes: bytes ?? (await readFile(join(MAIZE, 'phenotypes.csv'))),
  });
}

describe('what cannot be trained', () => {
  test('is refused with its reason before anything is written', async () => {
    const strangers = await uploadPhenotype('strangers.csv', 'line,Y\nX1,1\nX2,2\nX3,3\n');
    const refusals = [
      [await create('x', { traits: ['Yield'] }), 400, 'models/trait-not-in-phenotype'],
      [await create('x', { traits: [] }), 400, 'request/invalid'],
      [await create('', {}), 400, 'request/invalid'],
      [await create('x', { genotype_id: maize.phenotype.id }), 400, 'files/wrong-type'],
      [await create('x', { genotype_id: '01890000-0000-7000-8000-000000000000' }), 404, 'request/not-found'],
      [await create('x', { phenotype_id: strangers.id, traits: ['Y'] }), 409, 'match/nothing-in-common'],
      [await create('x', { n_fold: 1 }), 400, 'request/invalid'],
      [await create('x', { traits: ['EarHT'], covariates: ['nothing'] }), 400, 'gwas/unknown-covariate'],
      [await create('x', {}, outsider), 404, 'request/not-found'],
    ] as const;
    for (const [answer, status, code] of refusals) expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await owner.call('GET', `${models()}?name=x`)).body.data).toEqual([]);
  });

  test('covariates and components are fixed effects of the training, named with their standard errors', async () => {
    const more = { traits: ['EarHT'], covariates: ['DPOLL'], fixed: 2, n_repetition: 1 };
    const { body } = await create('With covariates', more);
    const model = await settledModel(owner, project, body.id);
    expect(model.status.EarHT).toBe('EVALUATED');
    expect(model.provenance.parameters).toMatchObject({ covariates: ['dpoll'], fixed: 2 });
    const effects = model.fit['EarHT']?.fixed_effects ?? [];
    expect(effects.map(({ name }) => name)).toEqual(['dpoll', 'PC1', 'PC2']);
    const [dpoll] = effects;
    expect((dpoll?.estimate ?? 0) / (dpoll?.standard_error ?? 1)).toBeGreaterThan(4);
    expect(model.fit['EarHT']?.without_covariate).toBe(3);
  });

  test('markers named have fixed effects, beside covariates and in the folds, and unknown ones are refused', {
    tags: 'whole',
  }, async () => {
    const more = { traits: ['dpoll'], covariates: ['EarHT'], n_repetition: 1, fixed_markers: ['PZA03591.1'] };
    const { body } = await create('With a large gene', more);
    const model = await settledModel(owner, project, body.id);
    expect(model.status.dpoll).toBe('EVALUATED');
    expect(model.provenance.parameters.fixed_markers).toEqual(['PZA03591.1']);
    expect(model.fit['dpoll']?.fixed_effects?.map(({ name }) => name)).toEqual(['EarHT', 'PZA03591.1']);
    expect(modelMethods(model)).toContain('PZA03591.1 was fitted with fixed effects beside the relationships');
    const refused = await create('Typing error', { ...more, fixed_markers: ['PZA3591.1'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'models/unknown-marker']);
    const both = await create('Both', { ...more, dominance_effect: true });
    expect(both.body.invalid_params).toMatchObject([{ name: 'body.fixed_markers' }]);
  });

  test('with fixed effects r is that without them, and that of an earlier version is not taken for it', async () => {
    const more = { traits: ['EarHT'], covariates: ['dpoll'], n_repetition: 1 };
    const { body } = await create('Evaluated long ago', more);
    const model = await settledModel(owner, project, body.id);
    const { pearson_r, phenotype_r, accuracy, note } = model.evaluation['EarHT']!;
    expect(pearson_r.mean! + 0.02).toBeLessThan(phenotype_r!.mean!);
    expect(accuracy!.h2).toBeCloseTo(model.variance['EarHT']!.kinship_pve, 8);
    expect(note).toBeNull();
    expect(model.evaluation_plot_html_urls['EarHT']).not.toBeNull();
    const overview = async () => (await owner.call('GET', `${project.address}/overview`)).body.results.accuracies;
    const ofModel = ({ model: { id } }: { model: { id: string } }) => id === body.id;
    expect((await overview()).find(ofModel)).toMatchObject({ r: pearson_r.mean });

    const stored = { ...model.evaluation['EarHT'], pearson_r: phenotype_r, phenotype_r: undefined, note: undefined };
    const update = product.services.db.updateTable('model_traits').where('model_id', '=', body.id);
    await update.set({ evaluation: sql`${JSON.stringify(stored)}::jsonb` }).execute();
    const old = (await owner.call('GET', `${models()}/${body.id}`)).body as ModelDetail;
    expect(old.evaluation['EarHT']).toMatchObject({
      ...{ pearson_r: { mean: null, sd: null }, phenotype_r, accuracy: null },
      note: expect.stringContaining('earlier version'),
    });
    expect(old.evaluation_plot_html_urls['EarHT']).toBeNull();
    expect((await overview()).find(ofModel)).toMatchObject({ r: null, sd: null });
    expect((await owner.call('DELETE', `${models()}/${body.id}`)).status).toBe(204);
  });

  test('each group of a column is left out once, with its own r, and the factor names its reference', async () => {
    const values = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n').slice(1);
    const family = ['Flint', 'Dent', 'Popcorn'];
    const rows = values
      .map((line, index) => `${line.split(',').slice(0, 2).join(',')},${family[index % 3]}`)
      .join('\n');
    const phenotype = await uploadPhenotype('families.csv', `line,Height,Family\n${rows}\n`);
    const request = { phenotype_id: phenotype.id, traits: ['Height'], covariates: ['Family'], leave_out: 'family' };
    expect((await create('x', { ...request, leave_out: 'Pool' })).body).toMatchObject({
      code: 'gwas/unknown-covariate',
      invalid_params: [{ name: 'body.leave_out' }],
    });
    const { body } = await create('Families', request);
    expect(body.provenance.parameters.leave_out).toBe('Family');
    const model = await settledModel(owner, project, body.id);
    expect(model.fit['Height']?.fixed_effects?.map(({ group, reference }) => [group, reference])).toEqual([
      ['Flint', 'Dent'],
      ['Popcorn', 'Dent'],
    ]);
    const evaluation = async () =>
      (await owner.call('GET', `${models()}/${body.id}/evaluation?trait=Height`)).body as ModelEvaluation;
    const { per_fold, per_repetition, points } = await evaluation();
    expect(per_fold.map(({ repetition, group }) => [repetition, group])).toEqual([
      [1, 'Dent'],
      [1, 'Flint'],
      [1, 'Popcorn'],
    ]);
    expect(per_repetition).toHaveLength(1);
    expect(per_fold.reduce((sum, { n }) => sum + n, 0)).toBe(points.length);
    const { within_group_r, accuracy } = model.evaluation['Height'] ?? {};
    const mean = per_fold.reduce((sum, { r }) => sum + (r ?? Number.NaN), 0) / 3;
    expect(within_group_r?.mean).toBeCloseTo(mean, 12);
    expect(accuracy?.value).toBeCloseTo(mean / Math.sqrt(accuracy?.h2 ?? 0), 12);

    // As after an evaluation that was cancelled: the groups are left out again.
    await product.services.db
      .updateTable('model_traits')
      .set({ status: 'ERROR', error_extra: CANCELLED })
      .where('model_id', '=', body.id)
      .execute();
    expect((await failedOnOverview()).map(({ id }) => id)).not.toContain(body.id);
    expect((await owner.call('POST', `${models()}/${body.id}/retry`)).body.status).toEqual({ Height: 'TRAINED' });
    await settledModel(owner, project, body.id);
    expect((await evaluation()).per_fold).toEqual(per_fold);
    const { rows: runs } = await sql<{ parameters: unknown }>`
      select parameters from runs where entity_id = ${body.id} and step = 'evaluate'`.execute(product.services.db);
    expect(runs.map(({ parameters }) => parameters)).toEqual([{ leave_out: 'Family' }, { leave_out: 'Family' }]);
  });

  test('each environment is left out once, from the plots of the file as it was checked', async () => {
    const values = (await readFile(join(MAIZE, 'phenotypes.csv'), 'utf8')).trim().split('\n').slice(1);
    const plots = values.flatMap((line, index) => {
      const [name, height] = line.split(',');
      const noise = ((index * 37) % 11) - 5;
      return [`${name},North,${height}`, `${name},South,${height === 'NA' ? -9 : Number(height) + 30 + noise}`];
    });
    const phenotype = await uploadPhenotype('trials.csv', `line,environment,Height\n${plots.join('\n')}\n`);
    const request = { phenotype_id: phenotype.id, traits: ['Height'], leave_out: 'Environment' };
    const { body } = await create('Environments', request);
    expect(body.provenance.parameters.leave_out).toBe('environment');
    const model = await settledModel(owner, project, body.id);
    expect(model.status).toEqual({ Height: 'EVALUATED' });
    const { body: evaluation } = await owner.call('GET', `${models()}/${body.id}/evaluation?trait=Height`);
    const { per_fold: folds } = evaluation as ModelEvaluation;
    expect(folds.map(({ group }) => group)).toEqual(['North', 'South']);
    // South holds the values of North and a little noise, so that the fit of North predicts it well.
    for (const { r, n } of folds) {
      expect(n).toBeGreaterThan(200);
      expect(r).toBeGreaterThan(0.6);
    }
    expect(model.evaluation['Height']?.within_group_r?.mean).toBeCloseTo(
      folds.reduce((sum, { r }) => sum + (r ?? Number.NaN), 0) / 2,
      12,
    );
    const single = await uploadPhenotype(
      'single.csv',
      `line,Height\n${values.map((line) => line.split(',', 2).join()).join('\n')}\n`,
    );
    expect((await create('x', { ...request, phenotype_id: single.id })).body).toMatchObject({
      code: 'gwas/unknown-covariate',
      invalid_params: [{ name: 'body.leave_out' }],
    });
  });

  test('one bad trait ends in an error that says what to do, the others are trained', async () => {
    const names = gunzipSync(await readFile(join(MAIZE, 'genotypes.vcf.gz')))
      .toString()
      .split('\n')
      .find((line) => line.startsWith('#CHROM'))
      ?.split('\t')
      .slice(9, 109);
    const rows = names?.map((name, index) => `${name},${index % 17},5`).join('\n') ?? '';
    const phenotype = await uploadPhenotype('constant.csv', `line,Varied,Constant\n${rows}\n`);
    const { body } = await create('Half bad', {
      phenotype_id: phenotype.id,
      traits: ['Varied', 'Constant'],
      n_repetition: 1,
    });
    const model = await settledModel(owner, project, body.id);
    expect(model.status).toEqual({ Varied: 'EVALUATED', Constant: 'ERROR' });
    expect(model.error_extras['Constant']).toMatchObject({
      code: 'analysis/constant-trait',
      action: expect.stringContaining('Choose a trait'),
    });
    const { message: reason } = model.error_extras['Constant'] ?? {};
    expect(await failedOnOverview()).toContainEqual(expect.objectContaining({ kind: 'model', id: body.id, reason }));
    const retried = await owner.call('POST', `${models()}/${body.id}/retry`);
    expect(retried.body.status).toEqual({ Varied: 'EVALUATED', Constant: 'TRAINING' });
    expect((await settledModel(owner, project, body.id)).status).toEqual({ Varied: 'EVALUATED', Constant: 'ERROR' });

    // As after a cancelled evaluation: trained traits are evaluated, although nothing is left to train.
    await product.services.db
      .updateTable('model_traits')
      .set({ status: 'ERROR', error_extra: CANCELLED })
      .where('model_id', '=', body.id)
      .where('trait', '=', 'Varied')
      .execute();
    const again = await owner.call('POST', `${models()}/${body.id}/retry`);
    expect(again.body.status).toEqual({ Varied: 'TRAINED', Constant: 'TRAINING' });
    expect((await settledModel(owner, project, body.id)).status).toEqual({ Varied: 'EVALUATED', Constant: 'ERROR' });
  });

  test('dominance in a panel of inbred lines without heterozygotes is refused with its reason', async () => {
    const inbred = SMALL_VCF.replaceAll('0/1', '0/0');
    const genotype = await product.uploadChecked(owner, project, {
      name: 'inbred.vcf',
      fileType: 'GENOTYPE',
      bytes: inbred,
    });
    const phenotype = await uploadPhenotype('inbred.csv', 'line,Y\nL1,1\nL2,2\nL3,4\nL4,3\nL5,6\nL6,5\n');
    const { body } = await create('Dominance', {
      genotype_id: genotype.id,
      phenotype_id: phenotype.id,
      traits: ['Y'],
      dominance_effect: true,
    });
    const model = await settledModel(owner, project, body.id);
    expect(model.status).toEqual({ Y: 'ERROR' });
    expect(model.error_extras['Y']?.['message']).toBeTruthy();
    expect(model.error_extras['Y']?.['action']).toBeTruthy();
  });
});

describe('matching', () => {
  const match = (body: object, person = owner) => person.call('POST', `${project.address}/match`, body);

  test('counts what genotype and phenotype share, by trait, with the markers a run would keep', async () => {
    const { status, body } = await match({ ...inputs(), traits: ['EarDia'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      both: 279,
      only_left: 2,
      only_right: 22,
      by_trait: { EarDia: 249 },
      markers: { total: 3093, after_qc: 2386, thresh_maf: 0.05, thresh_callrate: 0.9 },
      can_run: true,
      reason: null,
      panel: null,
      phase: null,
    });
    expect(body.only_left_names).toHaveLength(2);
    // Of other thresholds, from the figures of each marker; those of the panel as the check counts it are the same.
    const markersOf = async (thresh_maf: number, thresh_callrate: number) =>
      (await match({ ...inputs(), thresh_maf, thresh_callrate })).body.markers;
    expect(await markersOf(0, 0)).toMatchObject({ after_qc: 3093, thresh_maf: 0, thresh_callrate: 0 });
    const [less, usual, more] = [await markersOf(0.049, 0.9), await markersOf(0.05, 0.9), await markersOf(0.2, 0.95)];
    expect([less.after_qc >= 2386, usual.after_qc]).toEqual([true, 2386]);
    expect(more.after_qc).toBeGreaterThan(500);
    expect(more.after_qc).toBeLessThan(2386);
    expect((await match({ ...inputs(), thresh_maf: 0.6 })).status).toBe(400);
  });

  test('suggests names that look alike and takes renames for this run', async () => {
    const phenotype = await uploadPhenotype('alike.csv', 'line,Y\nCML2588,1\nNC298 ,2\n');
    const found = (await match({ genotype_id: maize.genotype.id, phenotype_id: phenotype.id })).body;
    expect(found.both).toBe(1);
    expect(found.suggestions[0]).toMatchObject({ left: 'CML258', right: 'CML2588' });
    const renamed = (
      await match({
        genotype_id: maize.genotype.id,
        phenotype_id: phenotype.id,
        renames: [{ from: 'CML2588', to: 'CML258' }],
      })
    ).body;
    expect(renamed.both).toBe(2);
  });

  test('offers for a name that could mean several the renames that decide it, and takes one', async () => {
    const phenotype = await uploadPhenotype('unclear.csv', 'line,Y\ncml258,1\nCML-258,2\nNC298,3\n');
    const files = { genotype_id: maize.genotype.id, phenotype_id: phenotype.id };
    const renames = ['CML-258', 'cml258'].map((from) => ({ from, to: 'CML258' }));
    expect((await match(files)).body).toMatchObject({
      both: 1,
      ambiguous: [{ name: 'CML258', candidates: ['CML-258', 'cml258'], renames }],
    });
    expect((await match({ ...files, renames: [renames[1]] })).body).toMatchObject({
      both: 2,
      both_names: expect.arrayContaining([{ left: 'CML258', right: 'cml258', how: 'rename' }]),
      only_right_names: ['CML-258'],
      ambiguous: [],
    });
  });

  test('says why a run would be refused, and knows crossing tables and models', async () => {
    const strangers = await uploadPhenotype('others.csv', 'line,Y\nX1,1\nX2,2\nX3,3\n');
    const none = (await match({ genotype_id: maize.genotype.id, phenotype_id: strangers.id })).body;
    expect(none).toMatchObject({ both: 0, can_run: false, reason: expect.stringContaining('no name in common') });
    const crosses = await product.uploadChecked(owner, project, {
      name: 'crosses.csv',
      fileType: 'CROSSING_TABLE',
      bytes: 'female,male\nCML258,NC298\nCML258,unknown line\n',
    });
    const table = (await match({ genotype_id: maize.genotype.id, crossing_table_id: crosses.id })).body;
    expect(table).toMatchObject({ both: 2, only_right: 1, only_right_names: ['unknown line'] });

    const [model] = (await owner.call('GET', `${models()}?name=Panel`)).body.data;
    const whole = (await match({ genotype_id: maize.genotype.id, model_id: model.id })).body;
    expect(whole.panel).toEqual({ shared: 2386, missing: 0, swapped: 0, variance_share: 1 });
    const small = await product.uploadChecked(owner, project, {
      name: 'small.vcf',
      fileType: 'GENOTYPE',
      bytes: SMALL_VCF,
    });
    const few = (await match({ genotype_id: small.id, model_id: model.id })).body;
    expect(few).toMatchObject({ can_run: false, panel: { shared: 0, missing: 2386 } });
  });

  test('is refused without or with too many inputs, and to outsiders', async () => {
    expect((await match({ genotype_id: maize.genotype.id })).status).toBe(400);
    expect((await match({ ...inputs(), model_id: maize.genotype.id })).status).toBe(400);
    expect((await match(inputs(), outsider)).status).toBe(404);
  });
});

describe('a run under way', () => {
  test('is cancelled, which takes its job out of the queue, and started again', async () => {
    await product.stopWorker();
    const { body } = await create('To cancel', { traits: ['EarHT'], n_repetition: 1 });
    expect((await member.call('POST', `${models()}/${body.id}/cancel`)).status).toBe(403);
    const cancelled = await owner.call('POST', `${models()}/${body.id}/cancel`);
    expect(cancelled.body.error_extras.EarHT).toMatchObject({
      code: 'runs/cancelled',
      message: 'Cancelled by olga@example.org.',
    });
    expect((await owner.call('POST', `${models()}/${body.id}/cancel`)).body.code).toBe('runs/not-cancellable');
    expect((await member.call('POST', `${models()}/${body.id}/retry`)).status).toBe(403);
    expect((await owner.call('POST', `${models()}/${body.id}/retry`)).body.status.EarHT).toBe('TRAINING');
    expect((await owner.call('POST', `${models()}/${body.id}/retry`)).body.code).toBe('runs/not-retryable');
    await product.startWorker();
    expect((await settledModel(owner, project, body.id)).status).toEqual({ EarHT: 'EVALUATED' });
  });

  test('that is cancelled in the middle loses its compute process, and its result is not stored', async () => {
    // Enough repetitions to take minutes.
    const { body } = await create('Long', { traits: ['EarHT', 'dpoll', 'EarDia'], n_repetition: 100, n_fold: 50 });
    const isEvaluating = await until(
      async () => (await owner.call('GET', `${models()}/${body.id}`)).body,
      ({ progress }) => progress.EarHT?.stage === 'cross-validate',
    );
    expect(isEvaluating.status.EarHT).toBe('EVALUATING');
    expect(await computeProcesses()).toBe(1);
    expect((await owner.call('POST', `${models()}/${body.id}/cancel`)).status).toBe(200);
    await until(computeProcesses, (count) => count === 0);
    const after = (await owner.call('GET', `${models()}/${body.id}`)).body;
    expect(after.error_extras.dpoll.code).toBe('runs/cancelled');
    // Traits trained before remain usable.
    expect(after.spec_urls.EarHT).not.toBeNull();
  });

  test('whose file a manager deletes ends in a clear error', async () => {
    await product.stopWorker();
    const phenotype = await uploadPhenotypeWithWorker('doomed.csv');
    const { body } = await create('Doomed', { phenotype_id: phenotype, traits: ['EarHT'] });
    expect((await owner.call('DELETE', `${project.address}/files/${phenotype}?cascade=true`)).status).toBe(204);
    const after = (await owner.call('GET', `${models()}/${body.id}`)).body;
    expect(after).toMatchObject({ status: { EarHT: 'ERROR' }, phenotype_id: null, progress: { EarHT: null } });
    expect(after.error_extras.EarHT).toMatchObject({
      code: 'models/input-gone',
      action: expect.stringContaining('Upload'),
    });
    await product.startWorker();
    expect((await owner.call('POST', `${models()}/${body.id}/retry`)).body.code).toBe('models/input-gone');
  });

  test('that is delivered twice is done once', async () => {
    await product.stopWorker();
    const { body } = await create('Twice', { traits: ['EarHT'], n_repetition: 1 });
    const { rows } = await sql<{ id: string }>`select id from runs where entity_id = ${body.id}`.execute(
      product.services.db,
    );
    const train = modelJobRegistrations(product.services).find(
      ({ definition }) => definition.name === trainModelJob.name,
    );
    const job = {
      id: 'a job',
      payload: { project_id: project.projectId, model_id: body.id, run_id: rows[0]?.id ?? '' },
      attempt: 1,
      signal: new AbortController().signal,
      reserve: async () => {},
    };
    await Promise.all([train?.handler(job), train?.handler(job)]);
    await train?.handler(job);
    const runs = await sql<{ step: string; state: string; attempt: number }>`
      select step, state, attempt from runs where entity_id = ${body.id} order by id`.execute(product.services.db);
    expect(runs.rows.map(({ step, state }) => [step, state])).toEqual([
      ['train', 'SUCCEEDED'],
      ['evaluate', 'QUEUED'],
    ]);
    await product.startWorker();
    expect((await settledModel(owner, project, body.id)).status).toEqual({ EarHT: 'EVALUATED' });
    // The losing attempt leaves nothing in the storage.
    const prefixes = new Set<string>();
    for await (const { key } of product.services.storage.list(`projects/${project.projectId}/models/${body.id}/`))
      prefixes.add(key.split('/')[4] ?? '');
    expect(prefixes.size).toBe(2);
  });
});

/** The check of a file needs a worker; the run that follows must wait. */
async function uploadPhenotypeWithWorker(name: string): Promise<string> {
  await product.startWorker();
  const { id } = await uploadPhenotype(name);
  await product.stopWorker();
  return id;
}

/** Compute children of this process. */
async function computeProcesses(): Promise<number> {
  const tasks = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  let count = 0;
  for (const pid of tasks.trim().split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('platform/compute/child.ts')) count++;
  }
  return count;
}
