import { numberColumn, readReferenceCsv, textColumn } from '@heterosis/test-support/reference-data';
import { beforeAll, expect, test } from 'vitest';
import { createPackedMarkers } from '../marker-space/packed-markers.ts';
import type { SamplerModel } from './effect-priors.ts';
import { type ChainSums, emptySums, MarkerChain } from './marker-chain.ts';
import { type PooledChains, poolChains } from './pool-chains.ts';
import { priorsFor } from './priors.test-data.ts';
import { type SamplerMarkers, samplerMarkers } from './sampler-markers.ts';

const FOLDER = new URL('../../reference/simbig1/', import.meta.url);
const simbig1File = (name: string): Map<string, string[]> => readReferenceCsv(new URL(name, FOLDER));

/** The simulated lines with large QTL, as the sampler takes them. */
interface Simbig1 {
  markers: SamplerMarkers;
  values: Float64Array;
  /** Places among the 1,000 markers of those that vary. */
  kept: Int32Array;
}

function readSimbig1(): Simbig1 {
  const table = simbig1File('genotypes.csv.gz');
  const names = [...table.keys()].slice(1);
  const n = textColumn(table, 'sample').length;
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(names.length * stride);
  for (const [j, name] of names.entries()) {
    for (const [i, count] of numberColumn(table, name).entries()) {
      packed[j * stride + (i >> 2)] |= (count === 0 ? 0 : count + 1) << (2 * (i & 3));
    }
  }
  const builder = createPackedMarkers({ panelSize: n }, { maf: 0, callRate: 0 });
  builder.add(packed, names.length);
  const panel = builder.finish();
  return {
    markers: samplerMarkers(
      panel,
      Int32Array.from({ length: n }, (_, i) => i),
      new Int32Array(0),
    ),
    values: numberColumn(simbig1File('phenotypes.csv'), 'y'),
    kept: Int32Array.from(names.keys()).filter((j) => panel.scan.kept[j] === 1),
  };
}

let data: Simbig1;
beforeAll(() => {
  data = readSimbig1();
});

function sampled(model: SamplerModel, burnIn: number, cycles: number): { chains: ChainSums[]; pooled: PooledChains } {
  const { markers, values } = data;
  const priors = priorsFor(model, markers, values);
  const chains = [1, 2, 3, 4].map((chain) => {
    const sums = emptySums(markers);
    const own = new MarkerChain(markers, priors, { values, seed: 11, chain });
    own.run(burnIn);
    own.run(cycles, sums);
    return sums;
  });
  return { chains, pooled: poolChains(chains) };
}

/** Root mean square difference from a reference over the Monte-Carlo error that the chains show: about 1. */
function standardized(reference: ArrayLike<number>, pooled: Float64Array, chains: readonly Float64Array[]): number {
  let difference = 0;
  let error = 0;
  for (let k = 0; k < pooled.length; k++) {
    const squares = chains.reduce((sum, own) => sum + (own[k] - pooled[k]) ** 2, 0);
    difference += (pooled[k] - reference[k]!) ** 2;
    error += squares / (chains.length - 1) / chains.length;
  }
  return Math.sqrt(difference / error);
}

/** The bar is 3 errors for any one number; of a root mean square over hundreds the error is smaller. */
const MOST_ERRORS = 2;

function compareWithExact(burnIn: number, cycles: number): void {
  const { chains, pooled } = sampled('brr', burnIn, cycles);
  const exact = simbig1File('brr_exact.csv');
  const exactOf = (name: string) => numberColumn(exact, 'value')[exact.get('quantity')!.indexOf(name)]!;
  const { residualVariance } = pooled.agreement;
  expect(Math.abs(residualVariance.mean - exactOf('varE'))).toBeLessThan(3 * residualVariance.monteCarloError);
  expect(residualVariance.sd / exactOf('posterior_sd_varE')).toBeCloseTo(1, 1);
  const effects = numberColumn(simbig1File('brr_exact_effects.csv.gz'), 'b');
  const ofKept = Float64Array.from(data.kept, (j) => effects[j]!);
  const mean = (sums: Float64Array) => sums.map((sum) => sum / cycles);
  const ownEffects = chains.map((own) => mean(own.effect));
  expect(standardized(ofKept, pooled.effect, ownEffects)).toBeLessThan(MOST_ERRORS);
  const fitted = numberColumn(simbig1File('brr_exact_fitted.csv.gz'), 'yhat');
  const average = data.values.reduce((sum, value) => sum + value, 0) / data.values.length;
  const genetic = fitted.map((value) => value - average);
  const ownGenetic = chains.map((own) => mean(own.genetic));
  expect(standardized(genetic, pooled.genetic, ownGenetic)).toBeLessThan(MOST_ERRORS);
}

test('with normal effects the chains come to the exact posterior', () => {
  compareWithExact(300, 1500);
});

test('with normal effects the chains come closer to the exact posterior', { tags: ['whole'] }, () => {
  compareWithExact(2000, 20_000);
});

test.for<[SamplerModel, string]>([
  ['bayesb', 'BayesB'],
  ['bayescpi', 'BayesC'],
])('%s has the inclusion probabilities of BGLR', { tags: ['whole'] }, ([model, name]) => {
  const { pooled } = sampled(model, 3000, 25_000);
  const table = simbig1File('bglr_effects.csv');
  const [inclusion, between] = ['PIP', 'PIP_sd_between_seeds'].map((what) => numberColumn(table, `${name}.${what}`));
  let [difference, error, largest] = [0, 0, 0];
  for (const [k, j] of data.kept.entries()) {
    difference += (pooled.inclusion[k]! - inclusion![j]!) ** 2;
    error += between![j]! ** 2 / 3 + pooled.inclusionError[k]! ** 2;
    largest = Math.max(largest, Math.abs(pooled.inclusion[k]! - inclusion![j]!));
  }
  // 1 where the only differences are those of sampling, here and there.
  expect(Math.sqrt(difference / error)).toBeLessThan(1.5);
  expect(Math.sqrt(difference / data.kept.length)).toBeLessThan(0.02);
});

test.for<SamplerModel>(['bayesb', 'bayescpi', 'bayesr'])('%s finds the five large QTL', (model) => {
  const { pooled } = sampled(model, 300, 700);
  const table = simbig1File('bglr_effects.csv');
  const inclusion = numberColumn(table, 'BayesB.PIP');
  const large = [...data.kept.keys()].filter((k) => inclusion[data.kept[k]!]! > 0.9999);
  expect(large.length).toBeGreaterThanOrEqual(5);
  for (const k of large) expect(pooled.inclusion[k]).toBeGreaterThan(0.95);
});
