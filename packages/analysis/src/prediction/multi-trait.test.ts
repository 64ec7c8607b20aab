import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { openPhenotype } from '../inputs/read-phenotype.ts';
import { CONTEXT, importText } from '../maize.test-data.ts';
import { errorCovariances } from './candidates/error-covariances.ts';
import { evaluateTogether } from './evaluation/evaluate-together.ts';
import { openFolds } from './evaluation/open-folds.ts';
import { modelJson, parseModelJson } from './model-file.ts';
import { predict } from './predict.ts';
import { openSmallPanel, smallPanel, smallPhenotype, withStandardErrors } from './small-panel.test-data.ts';
import { type TrainInput, trainModel } from './train-model.ts';
import type { TrainedModel } from './trained-model.ts';

const WHEAT = fileURLToPath(new URL('../../../statgen/reference/wheat-cimmyt/', import.meta.url));

const LINES = 60;
const written = smallPanel(LINES, 80, 41);
const panel = openSmallPanel(written);

/** `y` and a trait that shares some of its genetic part, not recorded for every fifth line. */
function twoTraits(): PhenotypeTable {
  const one = smallPhenotype(written, 5);
  const random = createRandomStream(6, 'second trait');
  const [y] = one.values;
  const late = y.map((value, i) => (i % 5 === 2 ? Number.NaN : 0.5 * value + 4 * random.normal()));
  return {
    ...one,
    traits: one.traits.map((trait, t) => (t === 1 ? { ...trait, name: 'late' } : trait)),
    values: [y, late],
  };
}

const phenotype = twoTraits();
const train = (more: Partial<TrainInput> = {}): Promise<TrainedModel> =>
  trainModel({ panel, phenotype, traits: ['y', 'late'], multiTrait: true, ...more }, CONTEXT);

/** A table without the values that a rule hides. */
const hiding = (isHidden: (t: number, i: number) => boolean): PhenotypeTable => ({
  ...phenotype,
  values: phenotype.values.map((values, t) => values.map((value, i) => (isHidden(t, i) ? Number.NaN : value))),
});

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((worst, value, k) => Math.max(worst, Math.abs(value - b[k]!)), 0);

const fitOf = (model: TrainedModel, t: number) => {
  const fit = model.traits[t]?.fit;
  if (fit === null || fit === undefined) throw new TypeError('no fit');
  return fit;
};

test('marker effects give the values of the kinship, and the file of the model keeps its covariances', async () => {
  const model = parseModelJson(modelJson(await train()));
  expect(model.multiTrait?.traits).toEqual(['y', 'late']);
  expect(model.multiTrait?.converged).toBe(true);
  const predicted = await predict({ model, panel }, CONTEXT);
  for (const [t, trait] of predicted.traits.entries()) {
    expect(largestDifference(trait.gebv, fitOf(model, t).gebv)).toBeLessThan(1e-8);
    expect(largestDifference(trait.reliability, fitOf(model, t).reliability)).toBeLessThan(1e-12);
  }
  // The second trait is worth more to a line that lacks it than its own records alone would be.
  const alone = await train({ multiTrait: false });
  expect(alone.multiTrait).toBeUndefined();
  expect(fitOf(model, 1).reliability[2]).toBeGreaterThan(fitOf(alone, 1).reliability[2]!);
});

test('principal components and covariates stand beside several traits', async () => {
  const model = await train({ principalComponents: 2, covariates: ['origin'] });
  const predicted = await predict({ model, panel }, CONTEXT);
  for (const [t, trait] of predicted.traits.entries()) {
    const { gebv, fixedEffects } = fitOf(model, t);
    expect(largestDifference(trait.gebv, gebv)).toBeLessThan(1e-8);
    expect(fixedEffects.map(({ name }) => name)).toEqual(['origin', 'origin', 'PC1', 'PC2']);
  }
});

test('records that were hidden in training and are known later give the values of all records', async () => {
  const isHidden = (_t: number, i: number): boolean => i >= 45;
  const model = await train({ phenotype: hiding(isHidden) });
  const known = hiding((t, i) => !isHidden(t, i));
  const later = await predict({ model, panel, known }, CONTEXT);
  expect(later.report.known).toBe(
    written.samples.filter((_, i) => i >= 45 && !Number.isNaN(phenotype.values[0]![i])).length,
  );
  // The same covariances with all records: what a model that was told all of them and took these would say.
  const all = await train();
  const forced = {
    ...model,
    traits: model.traits.map((trait, t) => ({
      ...trait,
      fit: { ...fitOf(model, t), observed: fitOf(all, t).observed },
    })),
  };
  const told = await predict({ model: forced, panel, known: hiding((_t, i) => i !== 0) }, CONTEXT);
  for (const [t, trait] of later.traits.entries()) {
    expect(largestDifference(trait.gebv, told.traits[t]!.gebv)).toBeLessThan(1e-9);
    expect(largestDifference(trait.reliability, told.traits[t]!.reliability)).toBeLessThan(1e-9);
    expect(largestDifference(trait.gebv, fitOf(model, t).gebv)).toBeGreaterThan(0.1);
  }
});

test('known records of one trait serve the other, also where candidates come in a file of their own', async () => {
  const places = Int32Array.from({ length: LINES }, (_, i) => i);
  const training = subsetPanel(panel, { samples: places.slice(0, 45), markers: null });
  const candidates = subsetPanel(panel, { samples: places.slice(45), markers: null });
  const model = await trainModel({ panel: training, phenotype, traits: ['y', 'late'], multiTrait: true }, CONTEXT);
  const known = hiding((t, i) => t === 1 || i < 45);
  const without = await predict({ model, panel: candidates, training }, CONTEXT);
  const withKnown = await predict({ model, panel: candidates, training, known }, CONTEXT);
  const together = await predict({ model, panel, known }, CONTEXT);
  for (const t of [0, 1]) {
    const [before, after] = [without.traits[t]!, withKnown.traits[t]!];
    expect(largestDifference(after.gebv, together.traits[t]!.gebv.slice(45))).toBeLessThan(1e-9);
    expect(before.reliability.every(Number.isFinite)).toBe(true);
    for (const [i, value] of after.reliability.entries())
      expect(value).toBeGreaterThanOrEqual(before.reliability[i]! - 1e-9);
  }
  // What errors of two lines share: their variances on the diagonal, with known records and without.
  for (const [records, predicted] of [
    [{}, without],
    [{ known }, withKnown],
  ] as const) {
    const errors = (await errorCovariances({ model, training, panel: candidates, ...records }, CONTEXT)) ?? [];
    expect(errors).toHaveLength(2);
    for (const [t, { data, rows }] of errors.entries()) {
      const variances = predicted.traits[t]!.pev;
      expect(
        largestDifference(
          variances.map((_, i) => data[i * (rows + 1)]!),
          variances,
        ),
      ).toBeLessThan(1e-8);
    }
  }
  await expect(predict({ model, panel: candidates, known }, CONTEXT)).rejects.toMatchObject({
    code: 'predictions/training-genotype',
  });
});

test('records that the training had already change nothing', async () => {
  const model = await train();
  const again = await predict({ model, panel, known: phenotype }, CONTEXT);
  for (const [t, trait] of again.traits.entries()) {
    expect(largestDifference(trait.gebv, fitOf(model, t).gebv)).toBeLessThan(1e-8);
    expect(largestDifference(trait.reliability, fitOf(model, t).reliability)).toBeLessThan(1e-8);
  }
});

test('known errors count relative to each other, whatever their unit', async () => {
  const withErrors = withStandardErrors(phenotype);
  const doubled = {
    ...withErrors,
    values: withErrors.values.map((values, t) => (t === 2 ? values.map((se) => 2 * se) : values)),
  };
  const models = await Promise.all(
    [withErrors, doubled, phenotype].map((table, k) =>
      train({ phenotype: table, ...(k === 2 ? {} : { standardErrors: ['se', 'se'] }) }),
    ),
  );
  const [first, second, unweighed] = models.map(({ multiTrait }) => multiTrait);
  expect(largestDifference(first!.genetic_covariance.flat(), second!.genetic_covariance.flat())).toBeLessThan(1e-8);
  expect(first!.error_weights).toHaveLength(LINES);
  expect(Math.abs(first!.log_likelihood - unweighed!.log_likelihood)).toBeGreaterThan(0.01);
});

test('more than six traits have genetic covariances of a factor', async () => {
  const random = createRandomStream(8, 'seven traits');
  const [y] = phenotype.values as [Float64Array];
  const names = Array.from({ length: 7 }, (_, t) => `t${t}`);
  const seven: PhenotypeTable = {
    ...phenotype,
    traits: names.map((name) => ({ ...phenotype.traits[0]!, name })),
    values: names.map((_, t) =>
      y.map((value, i) => ((i + t) % 11 === 0 ? Number.NaN : value + (2 + t) * random.normal())),
    ),
    observations: names.map(() => phenotype.observations[0]!),
    reductions: names.map(() => phenotype.reductions[0]!),
    h2: names.map(() => null),
  };
  const asked = { phenotype: seven, traits: names };
  await expect(train(asked)).rejects.toMatchObject({
    code: 'models/multi-trait',
    suggestion: expect.stringContaining('--genetic-factors'),
  });
  await expect(train({ ...asked, traits: names.slice(0, 3), geneticFactors: 2 })).rejects.toMatchObject({
    code: 'models/multi-trait',
    suggestion: 'Choose at most 1.',
  });
  const model = parseModelJson(modelJson(await train({ ...asked, geneticFactors: 1 })));
  const { factors, genetic_covariance: genetic } = model.multiTrait!;
  expect(model.multiTrait?.converged).toBe(true);
  for (const [s, row] of genetic.entries())
    for (const [r, value] of row.entries())
      expect(factors!.loadings[s]![0]! * factors!.loadings[r]![0]! + (s === r ? factors!.specific[s]! : 0)).toBeCloseTo(
        value,
        8,
      );
  const again = await predict({ model, panel, training: panel }, CONTEXT);
  for (const [t, trait] of again.traits.entries())
    expect(largestDifference(trait.gebv, fitOf(model, t).gebv)).toBeLessThan(1e-8);
});

test.each([
  { what: 'one trait', more: { traits: ['y'] } },
  { what: 'dominance', more: { dominance: true } },
  { what: 'the equations of the markers', more: { engine: 'markers' as const } },
])('$what is refused', async ({ more }) => {
  await expect(train(more)).rejects.toMatchObject({ code: 'models/multi-trait' });
});

test('too little memory is said before the fit', async () => {
  await expect(train({ memoryMb: 0.01 })).rejects.toMatchObject({ code: 'analysis/does-not-fit' });
});

test('known records need a model of several traits', async () => {
  const alone = await train({ multiTrait: false });
  await expect(predict({ model: alone, panel, known: phenotype }, CONTEXT)).rejects.toMatchObject({
    code: 'predictions/known-records',
  });
});

test.each(['cv1', 'cv2'] as const)('%s of wheat has the r of an independent program in every fold', async (scheme) => {
  await using wheat = await importText(gunzipSync(readFileSync(join(WHEAT, 'genotypes.vcf.gz'))).toString());
  const { table } = await openPhenotype(join(WHEAT, 'phenotypes.csv'), CONTEXT);
  const folds = await openFolds(join(WHEAT, 'gp/cv_folds_GY_env1.csv'), CONTEXT);
  const evaluations = await evaluateTogether(
    {
      ...{ panel: wheat.panel, phenotype: table, traits: ['GY_env2', 'GY_env5'], schemes: [scheme] },
      folds: { ...folds, repetitions: folds.repetitions.slice(0, 1) },
    },
    CONTEXT,
  );
  const [, ...lines] = readFileSync(join(WHEAT, 'multi-trait/wheat2b.cv.csv'), 'utf8').trim().split('\n');
  let compared = 0;
  for (const line of lines) {
    const [, name, trait, , fold, n, r, , single] = line.split(',');
    if (name?.toLowerCase() !== scheme) continue;
    const evaluation = evaluations.find((one) => one.trait === trait)!;
    const row = evaluation.perFold[Number(fold) - 1]!;
    expect(row.n).toBe(Number(n));
    // The reference stops at a gradient of 1e-8.
    expect(row.r).toBeCloseTo(Number(r), 6);
    if (single !== '') expect(evaluation.alone?.perFold[Number(fold) - 1]?.r).toBeCloseTo(Number(single), 6);
    compared++;
  }
  expect(compared).toBe(10);
  expect(evaluations.every(({ comparison }) => comparison !== null)).toBe(true);
});
