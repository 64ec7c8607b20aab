import { join } from 'node:path';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { evaluateKernels } from '../evaluation/evaluate-kernels.ts';
import { openFolds } from '../evaluation/open-folds.ts';
import { modelJson, parseModelJson, predictionsCsv, sampledEffectsCsv } from '../model-file.ts';
import { predict } from '../predict.ts';
import type { TrainInput } from '../train-model.ts';
import type { TrainedModel } from '../trained-model.ts';
import type { SamplingChoice } from './sample-trait.ts';
import { SIMBIG1, simbig1Vcf } from './simbig1.test-data.ts';
import { trainBySampling } from './train-by-sampling.ts';

const CHOICE: SamplingChoice = { model: 'bayescpi', chains: 2, cycles: 700, burnIn: 200, seed: 3, earlyStop: false };

let lines: ImportedPanel;
let input: TrainInput;
beforeAll(async () => {
  lines = await importText(simbig1Vcf());
  const { table } = await openPhenotype(join(SIMBIG1, 'phenotypes.csv'), CONTEXT);
  input = { panel: lines.panel, phenotype: table, traits: ['y'], maf: 0 };
});
afterAll(async () => {
  await lines[Symbol.asyncDispose]();
});

const fitOf = (model: TrainedModel) => {
  const fit = model.traits[0]?.fit;
  if (fit?.sampling === undefined) throw new TypeError('no fit by sampling');
  return { ...fit, sampling: fit.sampling };
};

test('a model by sampling is the same on any number of threads, and predicts its own lines', async () => {
  // Shorter chains take no threads.
  const choice = { ...CHOICE, cycles: 1000 };
  const model = await trainBySampling(input, choice, CONTEXT);
  const other = await trainBySampling(input, choice, { ...CONTEXT, threads: 2 });
  expect(modelJson(other)).toBe(modelJson(model));
  const { gebv, variance, sampling } = fitOf(model);
  // True: 0.99 and 0.66. The posterior is not that narrow, and the chains are short.
  expect(variance.additive).toBeGreaterThan(0.75);
  expect(variance.residual).toBeLessThan(0.8);
  expect(sampling.residual_variance.r_hat).toBeLessThan(1.2);
  const read = parseModelJson(modelJson(model));
  const predicted = await predict({ model: read, panel: lines.panel }, CONTEXT);
  const [trait] = predicted.traits;
  for (const [i, value] of trait!.gebv.entries()) expect(value).toBeCloseTo(gebv[i]!, 9);
  expect(trait!.posteriorSd).toEqual(sampling.gebv_sd);
  expect(trait!.reliability.every((value) => value > 0 && value < 1)).toBe(true);
  expect([...predictionsCsv(predicted)].join('').split('\n')[0]).toBe('id,gebv_y,reliability_y,posterior_sd_y');
  const effects = [...sampledEffectsCsv(read)].join('').trim().split('\n');
  expect(effects[0]).toBe('marker,effect,pip');
  expect(effects).toHaveLength(1 + model.markers.id.length);
});

test('lines without a value are predicted with their own uncertainty, new ones without', async () => {
  const hidden = new Set(lines.panel.samples.slice(0, 100));
  const { individuals, values } = input.phenotype;
  const known = values.map((own) => own.map((value, i) => (hidden.has(individuals[i]!) ? Number.NaN : value)));
  const phenotype = { ...input.phenotype, values: known };
  const trained = await trainBySampling({ ...input, phenotype }, CHOICE, CONTEXT);
  const { n, gebv, sampling } = fitOf(trained);
  expect(n).toBe(500);
  expect(gebv.every(Number.isFinite)).toBe(true);
  const meanSd = (from: number, to: number) =>
    sampling.gebv_sd.slice(from, to).reduce((sum, sd) => sum + sd, 0) / (to - from);
  expect(meanSd(0, 100)).toBeGreaterThan(meanSd(100, 600));
  const panel = subsetPanel(lines.panel, { samples: Int32Array.of(0, 599), markers: null });
  const { traits } = await predict({ model: trained, panel, training: lines.panel }, CONTEXT);
  expect(Array.from(traits[0]!.posteriorSd!, Number.isFinite)).toEqual([true, true]);
});

test('chains stop early when they have met, and too few cycles are refused', async () => {
  const choice: SamplingChoice = { ...CHOICE, model: 'brr', chains: 3, cycles: 50_000, earlyStop: true };
  const { sampling } = fitOf(await trainBySampling(input, choice, CONTEXT));
  expect(sampling).toMatchObject({ stopped_early: true, has_met: true });
  expect(sampling.cycles).toBeLessThan(20_000);
  expect(sampling.cycles % 1000).toBe(200);
  const { traits } = await trainBySampling(input, { ...CHOICE, cycles: 250 }, CONTEXT);
  expect(traits[0]?.error?.code).toBe('sampler/too-few-cycles');
});

test('folds have the r of BGLR where large QTL make the difference', { tags: 'whole' }, async () => {
  const folds = await openFolds(join(SIMBIG1, 'folds.csv'), CONTEXT);
  const { evaluations, comparisons } = await evaluateKernels(
    {
      ...input,
      ...{ models: ['rrblup', 'bayescpi'], lengths: { ...CHOICE, cycles: 1200 } },
      folds: { ...folds, repetitions: folds.repetitions.slice(0, 1) },
    },
    CONTEXT,
  );
  // BGLR 1.1.4, BayesC, 12,000 cycles: one chain, whose r differ by 0.005 from others.
  const reference = [0.7024538687, 0.6438123809, 0.6172422678, 0.6787572276, 0.6841533785];
  const sampled = evaluations.find(({ model }) => model === 'bayescpi');
  for (const [k, r] of reference.entries()) expect(Math.abs(sampled!.perFold[k]!.r! - r)).toBeLessThan(0.015);
  expect(comparisons[0]).toMatchObject({ models: ['bayescpi', 'rrblup'] });
  expect(comparisons[0]!.difference).toBeGreaterThan(0.12);
});
