import { type Matrix, matrixOf, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { setThreadCount } from '@heterosis/linalg/threads';
import {
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { createRrblupModel } from '../genomic-prediction/rrblup.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { interceptOnly } from '../mixed-model/error-contrasts.ts';
import { averageKernel, chooseBandwidth, gaussianKernel, markerDistances } from './gaussian-kernel.ts';

setThreadCount(1);

const WHEAT = new URL('../../reference/wheat-cimmyt/', import.meta.url);
const kernelFile = (name: string) => readReferenceCsv(new URL(`kernels/${name}.csv`, WHEAT));

const panel = readReferencePanel(new URL('genotypes.vcf.gz', WHEAT));
const phenotypes = readReferenceCsv(new URL('phenotypes.csv', WHEAT));
const n = panel.samples.length;
const everyone = Int32Array.from({ length: n }, (_, i) => i);

/** The reference takes all markers. */
function products(): { kinship: Matrix; divisor: number } {
  const accumulator = createKinshipAccumulator({
    panelSize: n,
    filter: { maf: 0, callRate: 0 },
    methods: ['vanraden1'],
  });
  accumulator.add(panel.packed, panel.markerIds.length);
  const { kernels, divisors } = accumulator.finish();
  return { kinship: kernels.vanraden1 as Matrix, divisor: divisors.vanraden1 ?? Number.NaN };
}
const { kinship, divisor } = products();
const distances = markerDistances(kinship);
/** The reference leaves out ½ log|XᵀX|. */
const volume = 0.5 * Math.log(n);

test('distances are those of the marker codes, scaled by the median of all pairs', () => {
  // 435 for codes 0 and 1, four times that for copies 0 and 2.
  expect(distances.median * divisor).toBeCloseTo(4 * 435, 8);
  const stride = (n + 3) >> 2;
  const code = (i: number, j: number) => ((panel.packed[j * stride + (i >> 2)] ?? 0) >> (2 * (i & 3))) & 3;
  for (const [a, b] of [
    [0, 1],
    [17, 400],
  ] as const) {
    const different = panel.markerIds.filter((_, j) => code(a, j) !== code(b, j)).length;
    expect(distances.scaled.data[a + b * n]).toBeCloseTo(different / 435, 10);
  }
});

test('the likelihood at thirteen bandwidths, and the best one, are those of an independent program', () => {
  const profile = kernelFile('bandwidth_profile');
  const optimum = kernelFile('bandwidth_optimum');
  for (const [row, trait] of textColumn(optimum, 'trait').entries()) {
    const y = traitOfPanel(phenotypes, trait, panel.samples);
    const found = chooseBandwidth(distances, everyone, interceptOnly(n), y);
    const places = textColumn(profile, 'trait').flatMap((name, k) => (name === trait ? [k] : []));
    expect(found.profile).toHaveLength(places.length);
    for (const [k, place] of places.entries()) {
      expect(found.profile[k].bandwidth / numberColumn(profile, 'h')[place]).toBeCloseTo(1, 10);
      // The bar: 1e-6.
      expect(found.profile[k].logLikelihood - volume).toBeCloseTo(numberColumn(profile, 'logL')[place], 6.3);
    }
    expect(found.isAtEnd).toBe(false);
    expect(found.bandwidth / numberColumn(optimum, 'h')[row]).toBeCloseTo(1, 3.3);
    expect(found.logLikelihood - volume).toBeCloseTo(numberColumn(optimum, 'logL')[row], 6.3);
  }
});

test('values at the best bandwidth and of averaged kernels are those of an independent program', () => {
  const optimum = kernelFile('bandwidth_optimum');
  const u = kernelFile('gaussian_u');
  for (const [row, trait] of textColumn(optimum, 'trait').entries()) {
    const kernel = gaussianKernel(distances, numberColumn(optimum, 'h')[row]);
    const fit = createRrblupModel(kernel).fit(traitOfPanel(phenotypes, trait, panel.samples));
    expect(fit.varianceAdditive / numberColumn(optimum, 'var_kernel')[row]).toBeCloseTo(1, 5.3);
    const differences = traitOfPanel(u, trait, panel.samples).map((value, i) => value + fit.mean - fit.gebv[i]);
    expect(Math.max(...differences.map(Math.abs))).toBeLessThan(1e-6);
  }
  const average = createRrblupModel(averageKernel(distances, [0.2, 1, 5]));
  const fit = average.fit(traitOfPanel(phenotypes, 'GY_env1', panel.samples));
  expect(fit.logLikelihood - volume).toBeCloseTo(-768.431217666, 6.3);
  expect(fit.varianceAdditive / 1.22245004973).toBeCloseTo(1, 5.3);
  const averaged = traitOfPanel(kernelFile('kernel_average_u'), 'GY_env1_equal', panel.samples);
  const differences = averaged.map((value, i) => value + fit.mean - fit.gebv[i]);
  expect(Math.max(...differences.map(Math.abs))).toBeLessThan(1e-6);
});

test('the scale of the products and the order of the individuals change no kernel', () => {
  const places = Int32Array.from({ length: 40 }, (_, i) => 7 * (40 - i));
  const part = selectRowsAndColumns(kinship, places, places);
  const other = markerDistances(
    matrixOf(
      40,
      40,
      part.data.map((value) => 3 * value),
    ),
  );
  const turned = Int32Array.from({ length: 40 }, (_, i) => 39 - i);
  const first = gaussianKernel(markerDistances(part), 1.3);
  const second = selectRowsAndColumns(
    gaussianKernel(markerDistances(selectRowsAndColumns(part, turned, turned)), 1.3),
    turned,
    turned,
  );
  const third = gaussianKernel(other, 1.3);
  for (const [k, value] of first.data.entries()) {
    expect(second.data[k]).toBeCloseTo(value, 12);
    expect(third.data[k]).toBeCloseTo(value, 12);
  }
});

test('individuals that are all the same have no distance to scale by', () => {
  expect(() => markerDistances(matrixOf(3, 3, new Float64Array(9).fill(1)))).toThrow('the same genotype');
});
