import { expect, test } from 'vitest';
import { crossMoments } from './cross-moments.ts';
import { readCrossingSmall } from './crossing-small.test-data.ts';
import { POPULATIONS, type Population } from './population.ts';
import { hasPairMoments, pairIndex, pairMoments } from './rank-pairs.ts';

const set = readCrossingSmall();
// Six inbred lines and six heterozygous plants.
const parents = [...set.parents.values()].filter((_, i) => i < 6 || i >= 14);

/** Traits that pairs can share in a population; elsewhere dominance needs every pair on its own. */
const shared = (population: Population) => set.effects.filter((trait) => hasPairMoments(trait, population));

test.each(POPULATIONS.filter((population) => !population.startsWith('BC')))(
  'gives every pair of 12 parents, inbred and heterozygous, what the cross by cross computation gives: %s',
  (population) => {
    const effects = shared(population);
    expect(effects.length).toBe(['RIL', 'DH', 'F2_DH'].includes(population) ? 2 : 1);
    const ranked = pairMoments(set.genome, effects, parents, population);
    expect(ranked.variance[0]).toHaveLength(66);
    for (let i = 0; i < parents.length; i++) {
      for (let j = i + 1; j < parents.length; j++) {
        const single = crossMoments(set.genome, effects, parents[i]!, parents[j]!, population);
        const pair = pairIndex(i, j, parents.length);
        for (const t of effects.keys()) {
          expect(ranked.mean[t]![pair]).toBeCloseTo(single.mean[t]!, 11);
          const variance = single.covariance[t * (effects.length + 1)]!;
          expect(Math.abs(ranked.variance[t]![pair]! - variance)).toBeLessThan(1e-8 * variance + 1e-12);
        }
      }
    }
  },
);

test('refuses what pairs cannot share: backcrosses, and dominance where heterozygotes are left', () => {
  expect(() => pairMoments(set.genome, set.effects, parents, 'F2')).toThrow(/F2/);
  expect(() => pairMoments(set.genome, [set.effects[1]!], parents, 'BC1_female')).toThrow(/BC1_female/);
});

test('identical inbred parents have exactly no variance', () => {
  const line = set.parents.get('LINE003')!;
  const ranked = pairMoments(set.genome, set.effects, [line, set.parents.get('LINE001')!, line], 'DH');
  expect(ranked.variance[0]![pairIndex(0, 2, 3)]).toBe(0);
});
