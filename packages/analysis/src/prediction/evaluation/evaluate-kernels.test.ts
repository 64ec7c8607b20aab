import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gaussianKinship } from '../../inputs/gaussian-kinship.ts';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { evaluateKernels, type KernelModel } from './evaluate-kernels.ts';
import type { EvaluateInput } from './evaluate-model.ts';
import { openFolds } from './open-folds.ts';

const WHEAT = fileURLToPath(new URL('../../../../statgen/reference/wheat-cimmyt/', import.meta.url));
/** Of models by sampling, of which there are none here. */
const LENGTHS = { chains: 1, cycles: 100, burnIn: 0, seed: 1, earlyStop: false };
const ALL_MARKERS = { maf: 0, callRate: 0 };

let wheat: ImportedPanel;
let input: EvaluateInput;
beforeAll(async () => {
  wheat = await importText(gunzipSync(readFileSync(join(WHEAT, 'genotypes.vcf.gz'))).toString());
  const { table } = await openPhenotype(join(WHEAT, 'phenotypes.csv'), CONTEXT);
  const folds = await openFolds(join(WHEAT, 'gp/cv_folds_GY_env1.csv'), CONTEXT);
  input = {
    ...{ panel: wheat.panel, phenotype: table, traits: ['GY_env1', 'GY_env2'], ...ALL_MARKERS },
    folds: { ...folds, repetitions: folds.repetitions.slice(0, 1) },
  };
});
afterAll(async () => {
  await wheat[Symbol.asyncDispose]();
});

const rowsOf = (file: string): string[][] =>
  readFileSync(join(WHEAT, 'kernels', file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

test('folds of the Gaussian and the averaged kernels have the r of an independent program', {
  tags: 'whole',
}, async () => {
  const models: KernelModel[] = ['rrblup', 'gaussian', 'kernel-average'];
  const { evaluations, comparisons, failed } = await evaluateKernels({ ...input, models, lengths: LENGTHS }, CONTEXT);
  expect(failed).toEqual([]);
  const rOf = (model: string, trait: string, fold: number) =>
    evaluations.find((one) => one.model === model && one.trait === trait)?.perFold[fold - 1]?.r;
  let compared = 0;
  for (const [trait = '', name, , fold, , r] of rowsOf('gaussian_cv.csv')) {
    if (name !== 'gaussian_reml') continue;
    // The bar: 2e-3, because the likelihood is flat at its top, in GY_env2 for a factor of two in the bandwidth.
    expect(Math.abs(rOf('gaussian', trait, Number(fold))! - Number(r))).toBeLessThan(trait === 'GY_env1' ? 1e-5 : 2e-3);
    compared++;
  }
  for (const [trait = '', name, , fold, , r] of rowsOf('kernel_average_cv.csv')) {
    if (name !== 'equal weights') continue;
    expect(rOf('kernel-average', trait, Number(fold))).toBeCloseTo(Number(r), 6);
    compared++;
  }
  expect(compared).toBe(15);
  const first = comparisons.filter(({ trait }) => trait === 'GY_env1').map((one) => one.models.join(' - '));
  expect(first).toEqual(['gaussian - rrblup', 'kernel-average - rrblup', 'kernel-average - gaussian']);
  const mean = (model: string) =>
    evaluations.find((one) => one.model === model && one.trait === 'GY_env1')!.meanFoldR.mean!;
  expect(comparisons[0]!.difference).toBeCloseTo(mean('gaussian') - mean('rrblup'), 12);
});

test('a bandwidth of REML is that of the trait among the individuals that have it', async () => {
  const panel = wheat.blocks;
  const bandwidth = { phenotype: input.phenotype, trait: 'GY_env1' };
  const chosen = await gaussianKinship({ panel, ...ALL_MARKERS, bandwidth }, CONTEXT);
  expect(chosen.bandwidth).toBeCloseTo(1.78428142069, 4);
  expect(chosen.choice?.n).toBe(599);
  const given = await gaussianKinship({ panel, ...ALL_MARKERS, bandwidth: chosen.bandwidth }, CONTEXT);
  expect(given.kernel.data).toEqual(chosen.kernel.data);
  await expect(gaussianKinship({ panel, ...ALL_MARKERS, bandwidth: 0 }, CONTEXT)).rejects.toMatchObject({
    code: 'analysis/bandwidth',
  });
});

test('too little memory is said before the kernels are made', async () => {
  await expect(
    evaluateKernels({ ...input, models: ['gaussian'], lengths: LENGTHS, memoryMb: 1 }, CONTEXT),
  ).rejects.toMatchObject({
    code: 'analysis/does-not-fit',
  });
});
