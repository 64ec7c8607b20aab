import { expect, test } from 'vitest';
import { crossMoments } from './cross-moments.ts';
import { readCrossingSmall } from './crossing-small.test-data.ts';
import { pairIndex, pairMoments } from './rank-pairs.ts';

const set = readCrossingSmall();
const parents = [...set.parents.values()];

test('gives every pair of 20 parents, inbred and heterozygous, what the cross by cross computation gives', () => {
  for (const population of ['DH', 'F2_DH', 'RIL'] as const) {
    const ranked = pairMoments(set.genome, set.effects, parents, population);
    expect(ranked.variance[0]).toHaveLength(190);
    for (let i = 0; i < parents.length; i++) {
      for (let j = i + 1; j < parents.length; j++) {
        const single = crossMoments(set.genome, set.effects, parents[i]!, parents[j]!, population);
        const pair = pairIndex(i, j, parents.length);
        for (const trait of [0, 1] as const) {
          expect(ranked.mean[trait]![pair]).toBeCloseTo(single.mean[trait]!, 11);
          const variance = single.covariance[trait * 3]!;
          expect(Math.abs(ranked.variance[trait]![pair]! - variance)).toBeLessThan(1e-8 * variance + 1e-12);
        }
      }
    }
  }
});

test('identical inbred parents have exactly no variance', () => {
  const line = set.parents.get('LINE003')!;
  const ranked = pairMoments(set.genome, set.effects, [line, set.parents.get('LINE001')!, line], 'DH');
  expect(ranked.variance[0]![pairIndex(0, 2, 3)]).toBe(0);
});
