import { expect, test } from 'vitest';
import { expectedMaximum, selectionIntensity, transgressionProbability, usefulness } from './cross-criteria.ts';
import { crossMoments } from './cross-moments.ts';
import { geneticValue, orderGenome, type PhasedParent } from './crossing-genome.ts';
import { readCrossingSmall, readTable } from './crossing-small.test-data.ts';
import type { Population } from './population.ts';

const set = readCrossingSmall();
const exact = readTable('exact.csv');

function parent(name: string | undefined): PhasedParent {
  const found = set.parents.get(name ?? '');
  if (found === undefined) throw new Error(`no parent ${name}`);
  return found;
}

test('equals the exact reference in every cross, trait and population', () => {
  expect(exact).toHaveLength(264);
  for (const row of exact) {
    const female = parent(row['female']);
    const male = parent(row['male']);
    const trait = row['trait'] === 'yield' ? 0 : 1;
    const where = `${row['cross']} ${row['trait']} ${row['population']}`;
    const moments = crossMoments(set.genome, set.effects, female, male, row['population'] as Population);
    const mean = moments.mean[trait] as number;
    const variance = moments.covariance[trait * 3] as number;
    const parents = [female, male].map((plant) => geneticValue(set.effects[trait]!, plant)) as [number, number];
    // The reference is printed with 8 decimals.
    const near = (value: number, text: string | undefined, what: string) =>
      expect(Math.abs(value - Number(text)), `${where} ${what}: ${value} ${text}`).toBeLessThan(
        1e-6 * Math.abs(Number(text)) + 5.1e-9,
      );
    near(mean, row['mean'], 'mean');
    near(variance, row['variance'], 'variance');
    near(Math.sqrt(variance), row['sd'], 'sd');
    near(parents[0], row['gv_female'], 'female');
    near(parents[1], row['gv_male'], 'male');
    near(
      usefulness(mean, Math.sqrt(variance), { fraction: 0.05, accuracy: 1, direction: 'high' }),
      row['usefulness_top5pct_h1'],
      'usefulness',
    );
    expect(transgressionProbability(mean, Math.sqrt(variance), parents)).toBeCloseTo(
      Number(row['p_above_best_parent_normal']),
      5,
    );
    expect(moments.segregatingMarkers).toBe(Number(row['segregating_markers']));
  }
});

test('gives two linked loci the textbook variances', () => {
  // 10 cM apart: ρ = e^−0.2. Coupling, a = 1 at both: DH variance 2 + 2ρ, F2 half of it plus dominance ½·(1/2)²·2.
  const { genome } = orderGenome(['1', '1'], Float64Array.of(5, 15));
  const rho = Math.exp(-0.2);
  const high = { first: Uint8Array.of(1, 1), second: Uint8Array.of(1, 1) };
  const low = { first: Uint8Array.of(0, 0), second: Uint8Array.of(0, 0) };
  const additive = [{ intercept: 3, additive: Float64Array.of(1, 1), dominance: null }];
  const dh = crossMoments(genome, additive, high, low, 'DH');
  expect(dh.mean[0]).toBe(5);
  expect(dh.covariance[0]).toBeCloseTo(2 + 2 * rho, 14);
  expect(crossMoments(genome, additive, high, low, 'RIL').covariance[0]).toBeCloseTo(2 + (2 * rho) / (2 - rho), 14);
  const withDominance = [{ intercept: 3, additive: Float64Array.of(1, 1), dominance: Float64Array.of(1, 1) }];
  const f2 = crossMoments(genome, withDominance, high, low, 'F2');
  expect(f2.mean[0]).toBe(6);
  expect(f2.covariance[0]).toBeCloseTo(1 + rho + 0.5 + (rho * rho) / 2, 14);
});

test('covariance between traits is the one that the variance of their sum implies', () => {
  const [yieldEffects, height] = set.effects;
  if (yieldEffects === undefined || height === undefined) throw new Error('two traits expected');
  const sum = {
    intercept: 0,
    additive: yieldEffects.additive.map((value, j) => value + (height.additive[j] as number)),
    dominance: yieldEffects.dominance,
  };
  const female = parent('PLANT007');
  const male = parent('PLANT002');
  for (const population of ['F1', 'F3', 'DH', 'RIL', 'BC1_female', 'BC1_male', 'BC1_female_DH'] as const) {
    const { covariance } = crossMoments(set.genome, set.effects, female, male, population);
    const ofSum = crossMoments(set.genome, [sum], female, male, population).covariance[0] as number;
    const [v1, c12, c21, v2] = covariance as unknown as [number, number, number, number];
    expect(c12).toBe(c21);
    expect(v1 + v2 + 2 * c12).toBeCloseTo(ofSum, 12);
  }
});

test('markers without a map position count in the mean and not in the variance', () => {
  const { genome, order } = orderGenome(['1', '1', '1'], Float64Array.of(10, Number.NaN, 0));
  expect([...order]).toEqual([2, 0, 1]);
  const effects = [{ intercept: 0, additive: Float64Array.of(1, 1, 100), dominance: null }];
  const high = { first: Uint8Array.of(1, 1, 1), second: Uint8Array.of(1, 1, 1) };
  const low = { first: Uint8Array.of(0, 0, 0), second: Uint8Array.of(0, 0, 0) };
  const moments = crossMoments(genome, effects, high, low, 'DH');
  expect(moments.mean[0]).toBe(102);
  expect(moments.covariance[0]).toBeCloseTo(2 + 2 * Math.exp(-0.2), 14);
});

test('a cross of a line with itself has no variance', () => {
  for (const population of ['F1', 'F2', 'DH', 'RIL', 'BC1_male'] as const) {
    const moments = crossMoments(set.genome, set.effects, parent('LINE001'), parent('LINE001'), population);
    expect([...moments.covariance]).toEqual([0, 0, 0, 0]);
    expect(moments.segregatingMarkers).toBe(0);
  }
});

test('names the lengths when effects do not fit the genome', () => {
  const effects = [{ intercept: 0, additive: new Float64Array(3), dominance: null }];
  expect(() => crossMoments(set.genome, effects, parent('LINE001'), parent('LINE002'), 'DH')).toThrow('3 effects');
});

test('selection intensities and expected maxima equal the tables of order statistics', () => {
  for (const [fraction, intensity] of [
    [0.2, 1.3998],
    [0.1, 1.755],
    [0.05, 2.0627],
    [0.01, 2.6652],
  ] as const) {
    expect(selectionIntensity(fraction)).toBeCloseTo(intensity, 4);
  }
  for (const [n, maximum] of [
    [1, 0],
    [10, 1.5388],
    [50, 2.2491],
    [100, 2.5076],
    [200, 2.746],
    [500, 3.0367],
    [1000, 3.2414],
  ] as const) {
    expect(expectedMaximum(n)).toBeCloseTo(maximum, 4);
  }
});

test('usefulness and transgression follow the wanted direction', () => {
  expect(usefulness(10, 2, { fraction: 0.05, accuracy: 0.5, direction: 'low' })).toBeCloseTo(10 - 2.0627128, 6);
  expect(transgressionProbability(10, 2, [8, 12], 'low')).toBeCloseTo(
    transgressionProbability(10, 2, [8, 12], 'high'),
    14,
  );
  expect(transgressionProbability(10, 0, [8, 12])).toBe(0);
  expect(transgressionProbability(13, 0, [8, 12])).toBe(1);
});
