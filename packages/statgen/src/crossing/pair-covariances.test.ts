import { expect, test } from 'vitest';
import { crossMoments } from './cross-moments.ts';
import { readCrossingSmall } from './crossing-small.test-data.ts';
import { pairCovariances } from './pair-covariances.ts';
import { pairIndex } from './rank-pairs.ts';

test.each(['DH', 'F2', 'RIL'] as const)('covariances of all pairs equal those of each %s cross', (population) => {
  const { genome, effects, parents } = readCrossingSmall();
  const plants = [...parents.values()];
  const additive = effects.map((trait) => ({ ...trait, dominance: null }));
  const [yieldYield, yieldHeight, heightHeight] = pairCovariances(genome, additive, plants, population) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  expect(plants.length).toBeGreaterThan(3);
  for (let i = 0; i < plants.length; i++) {
    for (let j = i + 1; j < plants.length; j++) {
      const { covariance } = crossMoments(genome, additive, plants[i], plants[j], population);
      const pair = pairIndex(i, j, plants.length);
      // Single precision, and products of numbers as large as the variance of the most different parents.
      const tolerance = 1e-6 * Math.max(1, Math.abs(covariance[0]), Math.abs(covariance[3]));
      expect(Math.abs(yieldYield[pair] - covariance[0])).toBeLessThan(tolerance);
      expect(Math.abs(yieldHeight[pair] - covariance[1])).toBeLessThan(tolerance);
      expect(Math.abs(heightHeight[pair] - covariance[3])).toBeLessThan(tolerance);
    }
  }
});
