import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { predictionAccuracy } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effectsOfModel } from '../../crossing/crossing-effects.ts';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { errorCovariances } from '../candidates/error-covariances.ts';
import { openFolds } from '../evaluation/open-folds.ts';
import { placeFolds } from '../evaluation/place-folds.ts';
import { fixedMarkersOf } from '../fixed-markers/fixed-markers.ts';
import { modelJson, parseModelJson } from '../model-file.ts';
import { predict } from '../predict.ts';
import { openSmallPanel, type SmallPanel, smallPanel, smallPhenotype } from '../small-panel.test-data.ts';
import type { TrainInput } from '../train-model.ts';
import type { TrainedModel } from '../trained-model.ts';
import type { DistanceKernel } from './kernel-models.ts';
import { trainByKernel } from './train-by-kernel.ts';

const WHEAT = fileURLToPath(new URL('../../../../statgen/reference/wheat-cimmyt/', import.meta.url));
/** Intercepts of the references. */
const GAUSSIAN_MEANS = { GY_env1: -0.548899596831, GY_env2: -0.412627896812 };
const AVERAGED_MEAN = -0.500933326515;
const ALL_MARKERS = { maf: 0, callRate: 0 };

let wheat: ImportedPanel;
let yields: PhenotypeTable;
beforeAll(async () => {
  wheat = await importText(gunzipSync(readFileSync(join(WHEAT, 'genotypes.vcf.gz'))).toString());
  yields = (await openPhenotype(join(WHEAT, 'phenotypes.csv'), CONTEXT)).table;
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

const fitOf = ({ traits }: TrainedModel, t = 0) => {
  const fit = traits[t]?.fit;
  if (fit == null) throw new TypeError('no fit');
  return fit;
};

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((worst, value, k) => Math.max(worst, Math.abs(value - b[k]!)), 0);

async function compareWithReference(
  name: DistanceKernel,
  means: Readonly<Record<string, number>>,
  file: string,
  column: number,
) {
  const traits = Object.keys(means);
  const model = await trainByKernel({ panel: wheat.panel, phenotype: yields, traits, ...ALL_MARKERS }, name, CONTEXT);
  const expected = new Map(rowsOf(file).map(([sample = '', ...values]) => [sample, values]));
  const { traits: found } = await predict({ model, panel: wheat.panel }, CONTEXT);
  for (const [t, { gebv, reliability }] of found.entries()) {
    // The reference has μ and u of a kernel that is not centred.
    const values = model.individuals.map((one) => means[traits[t]!]! + Number(expected.get(one)?.[column + t]));
    expect(largestDifference(gebv, values)).toBeLessThan(1e-6);
    expect(reliability.every((share) => share > 0.2 && share < 1)).toBe(true);
    const { intercept, variance } = fitOf(model, t);
    expect(gebv.reduce((sum, value) => sum + value, 0) / gebv.length).toBeCloseTo(intercept, 8);
    expect(variance.h2).toBeCloseTo(variance.kinship_pve, 2);
  }
}

test('values of averaged kernels are those of an independent program', async () => {
  await compareWithReference('kernel-average', { GY_env1: AVERAGED_MEAN }, 'kernel_average_u.csv', 1);
});

test('values at the bandwidth of REML are those of an independent program', { tags: 'whole' }, async () => {
  await compareWithReference('gaussian', GAUSSIAN_MEANS, 'gaussian_u.csv', 0);
});

test('lines without records are predicted as by an independent program, in every fold', async () => {
  const [fold = new Int32Array()] = placeFolds(
    await openFolds(join(WHEAT, 'gp/cv_folds_GY_env1.csv'), CONTEXT),
    wheat.panel.samples,
    {},
  );
  const y = yields.values[yields.traits.findIndex(({ name }) => name === 'GY_env1')]!;
  const rowOf = new Map(yields.individuals.map((name, row) => [name, row]));
  const records = Float64Array.from(wheat.panel.samples, (name) => y[rowOf.get(name)!]!);
  for (const [, name, , at, , r] of rowsOf('kernel_average_cv.csv').slice(0, 4)) {
    if (name !== 'equal weights') continue;
    const hidden = new Set(wheat.panel.samples.filter((_, i) => fold[i] === Number(at)));
    const phenotype = {
      ...yields,
      values: yields.values.map((values) =>
        values.map((value, row) => (hidden.has(yields.individuals[row]!) ? Number.NaN : value)),
      ),
    };
    const asked = { panel: wheat.panel, phenotype, traits: ['GY_env1'], ...ALL_MARKERS };
    const model = await trainByKernel(asked, 'kernel-average', CONTEXT);
    const places = Int32Array.from(wheat.panel.samples.keys()).filter((i) => fold[i] === Number(at));
    const candidates = subsetPanel(wheat.panel, { samples: places, markers: null });
    const found = await predict({ model, panel: candidates, training: wheat.panel }, CONTEXT);
    const observed = Float64Array.from(places, (i) => records[i]!);
    expect(predictionAccuracy(observed, found.traits[0]!.gebv).pearsonR).toBeCloseTo(Number(r), 8);
  }
});

const LINES = 60;
const written = smallPanel(LINES, 80, 71);
const panel = openSmallPanel(written);
const phenotype = smallPhenotype(written, 5);
const train = (name: DistanceKernel, more: Partial<TrainInput> = {}): Promise<TrainedModel> =>
  trainByKernel({ panel, phenotype, traits: ['y'], ...more }, name, CONTEXT);

test.each(['gaussian', 'kernel-average'] as const)(
  '%s: a stored model gives its training lines the values fitted, and others the same in any file',
  async (name) => {
    const model = parseModelJson(modelJson(await train(name)));
    const fit = fitOf(model);
    const again = await predict({ model, panel }, CONTEXT);
    expect(largestDifference(again.traits[0]!.gebv, fit.gebv)).toBeLessThan(1e-9);
    expect(again.report).toMatchObject({ without_reliability: 0, variance_share: null });
    // Under other names they are new individuals, here in a file of some lines that counts the other alleles.
    const some = Int32Array.from([4, 13, 0, 7, 59]);
    const others: SmallPanel = {
      samples: Array.from(some, (i) => `new ${i}`),
      markers: written.markers.map((marker) => ({ ...marker, a1: marker.a2, a2: marker.a1 })).toReversed(),
      dosages: Array.from(some, (i) =>
        written.dosages[i]!.map((count) => (count === null ? null : 2 - count)).toReversed(),
      ),
    };
    const found = await predict({ model, panel: openSmallPanel(others), training: panel }, CONTEXT);
    const [{ gebv, reliability, pev }] = found.traits as [(typeof found.traits)[0]];
    for (const [k, i] of some.entries()) {
      expect(gebv[k]).toBeCloseTo(fit.gebv[i]!, 9);
      expect(reliability[k]).toBeCloseTo(fit.reliability[i]!, 8);
      expect(pev[k]).toBeCloseTo(fit.pev![i]!, 7);
    }
    const [covariance] = (await errorCovariances({ model, training: panel, panel: openSmallPanel(others) }, CONTEXT))!;
    for (const k of some.keys()) expect(covariance!.data[k * (some.length + 1)]).toBeCloseTo(pev[k]!, 8);
  },
);

test('the order of lines and markers, and the scale of the trait, change no value', async () => {
  const first = fitOf(await train('gaussian'));
  const turned: SmallPanel = {
    samples: written.samples.toReversed(),
    markers: written.markers.toReversed(),
    dosages: written.dosages.toReversed().map((row) => row.toReversed()),
  };
  const other = fitOf(await train('gaussian', { panel: openSmallPanel(turned) }));
  expect(largestDifference(other.gebv.toReversed(), first.gebv)).toBeLessThan(1e-6);
  expect(largestDifference(other.reliability.toReversed(), first.reliability)).toBeLessThan(1e-6);
  const scaled = fitOf(
    await train('gaussian', {
      phenotype: { ...phenotype, values: phenotype.values.map((values) => values.map((value) => 7 * value - 30)) },
    }),
  );
  expect(
    largestDifference(
      scaled.gebv,
      first.gebv.map((value) => 7 * value - 30),
    ),
  ).toBeLessThan(1e-5);
  expect(scaled.kernel!.bandwidths[0]! / first.kernel!.bandwidths[0]!).toBeCloseTo(1, 4);
});

test('markers with fixed effects add to the kernel', async () => {
  const fixed = await fixedMarkersOf(panel, ['m3', 'm8']);
  const model = await train('gaussian', fixed);
  const fit = fitOf(model);
  const effects = Array.from(fit.additive.keys()).filter((j) => fit.additive[j] !== 0);
  expect(effects.map((j) => model.markers.id[j])).toEqual(['m3', 'm8']);
  expect(fit.fixedEffects.map(({ estimate }) => estimate)).toEqual(effects.map((j) => fit.additive[j]));
  const { traits } = await predict({ model, panel }, CONTEXT);
  expect(largestDifference(traits[0]!.gebv, fit.gebv)).toBeLessThan(1e-9);
});

test('what a kernel cannot do is refused', async () => {
  const model = await train('kernel-average');
  const places = Int32Array.from({ length: 20 }, (_, i) => i);
  const candidates = subsetPanel(panel, { samples: places, markers: null });
  await expect(predict({ model, panel: candidates }, CONTEXT)).rejects.toMatchObject({
    code: 'predictions/training-genotype',
  });
  const other = openSmallPanel(smallPanel(LINES, 80, 72));
  await expect(predict({ model, panel: candidates, training: other }, CONTEXT)).rejects.toMatchObject({
    code: 'predictions/not-the-training-genotype',
  });
  await expect(predict({ model, panel, known: phenotype }, CONTEXT)).rejects.toMatchObject({
    code: 'predictions/known-records',
  });
  expect(() => effectsOfModel(model)).toThrow('no marker effects');
  await expect(train('gaussian', { memoryMb: 0.01 })).rejects.toMatchObject({ code: 'analysis/does-not-fit' });
});
