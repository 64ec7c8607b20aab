import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CONTEXT,
  type ImportedPanel,
  importText,
  MAIZE,
  maizePhenotype,
  maizeVcf,
  mapMarkers,
  referenceRows,
  swapAlleles,
} from '../maize.test-data.ts';
import { evaluateModels } from './evaluation/evaluate-model.ts';
import { evaluationCsv } from './evaluation/evaluation-figures.ts';
import { foldsCsv } from './evaluation/folds.ts';
import { openFolds } from './evaluation/open-folds.ts';
import { modelJson, parseModelJson } from './model-file.ts';
import { predict } from './predict.ts';
import { trainModel } from './train-model.ts';
import type { TrainedModel } from './trained-model.ts';

const TRAITS = ['EarHT', 'dpoll', 'EarDia'];
let maize: ImportedPanel;
let model: TrainedModel;

beforeAll(async () => {
  maize = await importText(maizeVcf());
  model = await trainModel({ panel: maize.panel, phenotype: await maizePhenotype(), traits: TRAITS }, CONTEXT);
});
afterAll(async () => {
  await maize[Symbol.asyncDispose]();
});

const relative = (value: number, reference: number) => Math.abs(value / reference - 1);

test('variance components, marker effects and GEBVs equal tightly optimised REML', () => {
  const { freqA2 } = model.markers;
  const divisor = freqA2.reduce((sum, p) => sum + 2 * p * (1 - p), 0);
  expect(model.markers.id).toHaveLength(2386);
  for (const row of referenceRows('gp/varcomp.csv')) {
    const { fit } = model.traits.find(({ name }) => name === row['trait'])!;
    // 1e-6: the bar of the product; the references stop near 1e-8.
    expect(relative(fit!.variance.additive / divisor, Number(row['exact_rr_Vu']))).toBeLessThan(1e-6);
    expect(relative(fit!.variance.residual, Number(row['exact_rr_Ve']))).toBeLessThan(1e-6);
    expect(fit!.n).toBe(Number(row['n']));

    const effectOf = new Map(model.markers.id.map((id, j) => [id, fit!.additive[j]!]));
    const largest = Math.max(...fit!.additive.map(Math.abs));
    for (const effect of referenceRows(`gp/marker_effects_${row['trait']}.csv.gz`)) {
      const difference = effectOf.get(effect['id']!)! - Number(effect['u_exact_reml']);
      expect(Math.abs(difference) / largest).toBeLessThan(1e-6);
    }
    const gebvOf = new Map(model.individuals.map((name, i) => [name, fit!.gebv[i]!]));
    for (const line of referenceRows(`gp/gebv_${row['trait']}.csv`)) {
      expect(relative(gebvOf.get(line['sample']!)!, Number(line['exact_pred']))).toBeLessThan(1e-6);
    }
  }
});

test('the model file predicts the training panel exactly, and a panel with REF and ALT exchanged as well', async () => {
  const read = parseModelJson(modelJson(model));
  await using swapped = await importText(swapAlleles(maizeVcf()));
  const own = await predict({ model: read, panel: maize.panel }, CONTEXT);
  const turned = await predict({ model: read, panel: swapped.panel }, CONTEXT);
  expect(own.report).toMatchObject({ shared: 2386, missing: 0, swapped: 0, variance_share: 1 });
  expect(turned.report).toMatchObject({ shared: 2386, missing: 0, swapped: 2386 });
  for (const [t, { gebv, reliability }] of own.traits.entries()) {
    const { fit } = model.traits[t]!;
    gebv.forEach((value, i) => {
      expect(relative(value, fit!.gebv[i]!)).toBeLessThan(1e-10);
      expect(relative(turned.traits[t]!.gebv[i]!, value)).toBeLessThan(1e-10);
    });
    expect(reliability).toEqual(fit!.reliability);
    expect(turned.traits[t]!.reliability).toEqual(fit!.reliability);
  }
});

test('markers under other ids are found by position, and missing ones are reported with the variance they carry', async () => {
  const half = mapMarkers(maizeVcf(), ([chr, pos, , ...rest], marker) =>
    marker % 3 === 0 ? null : [`chr${chr}`, pos, `other${marker}`, ...rest],
  );
  await using renamed = await importText(half);
  const { report, traits } = await predict({ model, panel: renamed.panel }, CONTEXT);
  expect(report.shared).toBe(report.by_position);
  expect(report.shared / 2386).toBeGreaterThan(0.6);
  expect(report.missing).toBe(2386 - report.shared);
  expect(report.variance_share).toBeGreaterThan(0.5);
  expect(report.variance_share).toBeLessThan(0.8);
  // Two thirds of the markers still tell the lines apart.
  const full = model.traits[0]!.fit!.gebv;
  const mean = full.reduce((sum, value) => sum + value, 0) / full.length;
  const covariance = full.reduce((sum, value, i) => sum + (value - mean) * (traits[0]!.gebv[i]! - mean), 0);
  expect(covariance).toBeGreaterThan(0);
});

test('given folds give the reference accuracy of every fold', async () => {
  for (const trait of TRAITS) {
    const folds = await openFolds(join(MAIZE, `gp/cv_folds_${trait}.csv`), CONTEXT);
    const [result] = await evaluateModels(
      { panel: maize.panel, phenotype: await maizePhenotype(), traits: [trait], folds },
      CONTEXT,
    );
    const reference = referenceRows(`gp/cv_perfold_${trait}.csv`);
    expect(result!.evaluation!.perFold).toHaveLength(reference.length);
    for (const row of reference) {
      const fold = result!.evaluation!.perFold.find(
        ({ repetition, fold }) => repetition === Number(row['rep']) && fold === Number(row['fold']),
      );
      expect(fold!.n).toBe(Number(row['n_test']));
      expect(Math.abs(fold!.r! - Number(row['r_exact']))).toBeLessThan(1e-6);
    }
  }
});

test('random folds repeat with their seed, and their table gives the same accuracy again', async () => {
  const phenotype = await maizePhenotype();
  const input = { panel: maize.panel, phenotype, traits: ['dpoll'], nFold: 4, nRepetition: 2, seed: 9 };
  const [first] = await evaluateModels(input, CONTEXT);
  const [again] = await evaluateModels(input, CONTEXT);
  expect(again).toEqual(first);
  const [other] = await evaluateModels({ ...input, seed: 10 }, CONTEXT);
  expect(other!.evaluation!.perFold).not.toEqual(first!.evaluation!.perFold);
  const [given] = await evaluateModels({ ...input, folds: first!.evaluation!.folds }, CONTEXT);
  expect(given!.evaluation!.perFold).toEqual(first!.evaluation!.perFold);
  expect([...foldsCsv(first!.evaluation!.folds)].join('').split('\n')[0]).toBe('individual,rep1,rep2');
  const lines = [...evaluationCsv([first!.evaluation!])].join('').trimEnd().split('\n');
  expect(lines[0]).toBe('trait,repetition,fold,n,r');
  expect(lines).toHaveLength(1 + 8);
  const { summary, points } = first!.evaluation!;
  expect(summary.pearson_r.mean).toBeGreaterThan(0.6);
  expect(points).toHaveLength(276);
});

test('a trait of so few individuals that no training part has a model says so instead of giving no figure', async () => {
  const phenotype = await maizePhenotype();
  const dpoll = phenotype.traits.findIndex(({ name }) => name === 'dpoll');
  let left = 11;
  const values = phenotype.values.map((column, t) =>
    t === dpoll ? column.map((value) => (Number.isNaN(value) || left-- > 0 ? value : Number.NaN)) : column,
  );
  const [result] = await evaluateModels(
    { panel: maize.panel, phenotype: { ...phenotype, values }, traits: ['dpoll'], nRepetition: 2 },
    CONTEXT,
  );
  expect(result!.evaluation).toBeNull();
  expect(result!.error).toMatchObject({ code: 'analysis/too-few-individuals' });
  expect(result!.error!.message).toContain('No training part of the cross-validation can be fitted');
});

test('a fold without r says why: its training part was too small, or it holds a single individual', async () => {
  const phenotype = await maizePhenotype();
  const observed = maize.panel.samples.filter((name) => {
    const row = phenotype.individuals.indexOf(name);
    const dpoll = phenotype.traits.findIndex(({ name: trait }) => trait === 'dpoll');
    return row >= 0 && Number.isFinite(phenotype.values[dpoll]![row]!);
  });
  const foldOf = (place: number, small: number): number => (place < small ? 1 : 2);
  const folds = {
    individuals: observed,
    // Few train for the second fold of the first repetition; the first of the second repetition is one individual.
    repetitions: [4, 1].map((small) => Int32Array.from(observed, (_, i) => foldOf(i, small))),
  };
  const [result] = await evaluateModels({ panel: maize.panel, phenotype, traits: ['dpoll'], folds }, CONTEXT);
  const [four, fewTrain, one] = result!.evaluation!.perFold;
  expect([four!.n, four!.r === null, four!.reason]).toEqual([4, false, null]);
  expect([fewTrain!.r, fewTrain!.reason]).toEqual([
    null,
    expect.stringMatching(/at least 10 individuals.*there are 4/),
  ]);
  expect([one!.r, one!.reason]).toEqual([null, 'This fold has one individual only.']);
});

test('with dominance breeding and genotypic values both follow from the effects on raw dosages', async () => {
  const phenotype = await maizePhenotype();
  const trained = await trainModel({ panel: maize.panel, phenotype, traits: ['dpoll'], dominance: true }, CONTEXT);
  const { fit } = trained.traits[0]!;
  expect(fit!.dominance).toHaveLength(2386);
  expect(fit!.variance.dominance).toBeGreaterThanOrEqual(0);
  const { traits } = await predict({ model: trained, panel: maize.panel }, CONTEXT);
  const { gebv, genotypic } = traits[0]!;
  gebv.forEach((value, i) => expect(relative(value, fit!.gebv[i]!)).toBeLessThan(1e-8));
  genotypic!.value.forEach((value, i) => expect(relative(value, fit!.genotypic!.value[i]!)).toBeLessThan(1e-8));
  expect(gebv).not.toEqual(genotypic!.value);
});

test('covariates and components are fixed effects, and marker effects predict the same values from genotypes', async () => {
  const phenotype = await maizePhenotype();
  const settings = { traits: ['EarHT'], covariates: ['dpoll'], principalComponents: 3 };
  for (const dominance of [false, true]) {
    const trained = await trainModel({ panel: maize.panel, phenotype, ...settings, dominance }, CONTEXT);
    const fit = trained.traits[0]!.fit!;
    expect(fit.fixedEffects.map(({ name, use }) => [name, use])).toEqual([
      ['dpoll', 'used'],
      ...[1, 2, 3].map((k) => [`PC${k}`, 'used']),
    ]);
    expect(fit.n + fit.withoutCovariate).toBe(model.traits[0]!.fit!.n);
    const { traits } = await predict({ model: parseModelJson(modelJson(trained)), panel: maize.panel }, CONTEXT);
    traits[0]!.gebv.forEach((value, i) => expect(relative(value, fit.gebv[i]!)).toBeLessThan(1e-10));
  }
});

test('dominance is refused with its reason when every individual is homozygous', async () => {
  const homozygous = mapMarkers(maizeVcf(), (fields) =>
    fields.map((cell, i) => (i < 9 ? cell : cell.replace(/^(?:0\/1|1\/0)/, './.'))),
  );
  await using inbred = await importText(homozygous);
  const input = { panel: inbred.panel, phenotype: await maizePhenotype(), traits: ['dpoll'], dominance: true };
  const reason = {
    code: 'analysis/no-heterozygotes',
    message: expect.stringContaining('Every one of the 276 individuals'),
  };
  expect((await trainModel(input, CONTEXT)).traits[0]).toMatchObject({ fit: null, error: reason });
  expect((await evaluateModels(input, CONTEXT))[0]).toMatchObject({ evaluation: null, error: reason });
});

/** Without missing calls, of which the panel's means would depend on who is in it. */
const completeVcf = () =>
  mapMarkers(maizeVcf(), (fields) => fields.map((cell, i) => (i < 9 ? cell : cell.replace('./.', '0/0'))));

test('with dominance the phenotyped individuals alone decide the variances: candidates beside them change nothing', async () => {
  await using whole = await importText(completeVcf());
  const phenotype = await maizePhenotype();
  const dpoll = phenotype.values[phenotype.traits.findIndex(({ name }) => name === 'dpoll')]!;
  const half = dpoll.map((value, i) => (i % 2 === 0 ? value : Number.NaN));
  const table = {
    ...phenotype,
    traits: [...phenotype.traits, { ...phenotype.traits[0]!, name: 'half' }],
    values: [...phenotype.values, half],
  };
  const observed = new Set(phenotype.individuals.filter((_, i) => !Number.isNaN(half[i]!)));
  await using part = await importText(
    completeVcf()
      .split('\n')
      .map((line, _, lines) => {
        const names = lines.find((one) => one.startsWith('#CHROM'))!.split('\t');
        return line.startsWith('##')
          ? line
          : line
              .split('\t')
              .filter((_cell, i) => i < 9 || observed.has(names[i]!))
              .join('\t');
      })
      .join('\n'),
  );
  // Both filters rest on all genotyped individuals.
  const settings = { phenotype: table, dominance: true, maf: 0, callRate: 0 };
  const [all, dpollFit] = (await trainModel({ ...settings, panel: whole.panel, traits: ['half', 'dpoll'] }, CONTEXT))
    .traits;
  const [alone] = (await trainModel({ ...settings, panel: part.panel, traits: ['half'] }, CONTEXT)).traits;
  for (const component of ['additive', 'dominance', 'residual'] as const) {
    const difference = all!.fit!.variance[component]! - alone!.fit!.variance[component]!;
    expect(Math.abs(difference) / alone!.fit!.variance.residual).toBeLessThan(1e-7);
  }
  expect(relative(all!.fit!.logLikelihood, alone!.fit!.logLikelihood)).toBeLessThan(1e-9);
  for (const [k, name] of part.panel.samples.entries()) {
    const i = whole.panel.samples.indexOf(name);
    expect(relative(all!.fit!.gebv[i]!, alone!.fit!.gebv[k]!)).toBeLessThan(1e-7);
  }
  // The traits keep their order and each has its own individuals.
  expect(dpollFit!.fit!.n).toBe(276);
  expect(all!.fit!.n).toBe(alone!.fit!.n);
});

test('a trait that cannot be fitted carries its reason and does not stop the others', async () => {
  const phenotype = await maizePhenotype();
  const constant = { ...phenotype.traits[0]!, name: 'constant' };
  const rare = { ...phenotype.traits[0]!, name: 'rare' };
  const table = {
    ...phenotype,
    traits: [...phenotype.traits, constant, rare],
    values: [
      ...phenotype.values,
      new Float64Array(phenotype.individuals.length).fill(3),
      phenotype.values[0]!.map((value, i) => (i < 6 ? value : Number.NaN)),
    ],
  };
  const trained = await trainModel(
    { panel: maize.panel, phenotype: table, traits: ['constant', 'EarHT', 'rare'] },
    CONTEXT,
  );
  expect(trained.traits.map(({ error }) => error?.code)).toEqual([
    'analysis/constant-trait',
    undefined,
    'analysis/too-few-individuals',
  ]);
  expect(trained.traits[1]!.fit!.gebv).toEqual(model.traits[0]!.fit!.gebv);
});

test('limits that no marker passes are refused with the reason', async () => {
  const phenotype = await maizePhenotype();
  await expect(
    trainModel({ panel: maize.panel, phenotype, traits: ['EarHT'], maf: 0.5, callRate: 1 }, CONTEXT),
  ).rejects.toMatchObject({ code: 'no-markers-left' });
});

test('an unknown trait and files without a common name are refused before any work', async () => {
  const phenotype = await maizePhenotype();
  await expect(trainModel({ panel: maize.panel, phenotype, traits: ['height'] }, CONTEXT)).rejects.toMatchObject({
    code: 'models/trait-not-in-phenotype',
    suggestion: 'Its traits are EarHT, dpoll, EarDia.',
  });
  const strangers = { ...phenotype, individuals: phenotype.individuals.map((_, i) => `field plot ${i}`) };
  await expect(
    trainModel({ panel: maize.panel, phenotype: strangers, traits: ['EarHT'] }, CONTEXT),
  ).rejects.toMatchObject({
    code: 'match/nothing-in-common',
  });
});

test('names that differ in case and punctuation are matched, and renames are obeyed', async () => {
  const phenotype = await maizePhenotype();
  const individuals = phenotype.individuals.map((name) => (name === 'B73' ? 'reference line' : name.toLowerCase()));
  const trained = await trainModel(
    {
      panel: maize.panel,
      phenotype: { ...phenotype, individuals },
      traits: ['EarHT'],
      renames: [{ from: 'reference line', to: 'B73' }],
    },
    CONTEXT,
  );
  expect(trained.traits[0]!.fit!.gebv).toEqual(model.traits[0]!.fit!.gebv);
});

test('an abort stops training with the reason of the abort', async () => {
  const controller = new AbortController();
  const phenotype = await maizePhenotype();
  const stopped = trainModel(
    { panel: maize.panel, phenotype, traits: TRAITS },
    {
      threads: 1,
      signal: controller.signal,
      onProgress: ({ stage }) => {
        if (stage === 'kinship') controller.abort(new Error('cancelled'));
      },
    },
  );
  await expect(stopped).rejects.toThrow('cancelled');
});
