import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { crossMoments } from './cross-moments.ts';
import { orderGenome } from './crossing-genome.ts';
import { readCrossingSmall } from './crossing-small.test-data.ts';
import { POPULATIONS, type Population } from './population.ts';
import { hasPairMoments, pairIndex, pairMoments } from './rank-pairs.ts';

const set = readCrossingSmall();
// Six inbred lines and six heterozygous plants.
const parents = [...set.parents.values()].filter((_, i) => i < 6 || i >= 14);

test.each(POPULATIONS.filter((population) => !population.startsWith('BC')))(
  'gives every pair of 12 parents, inbred and heterozygous, what the cross by cross computation gives: %s',
  (population) => {
    const { effects } = set;
    expect(effects.map(({ dominance }) => dominance === null)).toEqual([false, true]);
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

test('refuses what pairs cannot share: backcrosses', () => {
  expect(hasPairMoments('BC1_female')).toBe(false);
  expect(() => pairMoments(set.genome, set.effects, parents, 'BC1_female')).toThrow(/BC1_female/);
});

/**
 * Genomes of up to three chromosomes, with markers at one position and markers off the map, and random phased parents.
 */
const scenes = fc
  .record({ parents: fc.integer({ min: 1, max: 7 }), markers: fc.integer({ min: 1, max: 40 }) })
  .chain(({ parents: count, markers }) => {
    const perMarker = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: markers, maxLength: markers });
    const alleles = perMarker(fc.constantFrom(0, 1)).map((values) => Uint8Array.from(values));
    const effect = perMarker(fc.double({ min: -3, max: 3, noNaN: true })).map((values) => Float64Array.from(values));
    return fc.record({
      chromosomes: perMarker(fc.constantFrom('1', '2', '3')),
      positions: perMarker(fc.constantFrom(0, 5, 5.001, 12, 40, 41, 200, Number.NaN)),
      additive: effect,
      dominance: effect,
      parents: fc.array(
        alleles.chain((first) =>
          fc.oneof(
            fc.constant({ first, second: first }),
            alleles.map((second) => ({ first, second })),
          ),
        ),
        { minLength: count, maxLength: count },
      ),
      population: fc.constantFrom<Population>('F1', 'F2', 'F3', 'F5', 'F9'),
    });
  });

test('with dominance any set of parents has the moments of its crosses, whatever the map', () => {
  fc.assert(
    fc.property(scenes, ({ chromosomes, positions, additive, dominance, parents: crossed, population }) => {
      const { genome } = orderGenome(chromosomes, Float64Array.from(positions));
      const effects = [{ intercept: 2, additive, dominance }];
      const ranked = pairMoments(genome, effects, crossed, population);
      for (let i = 0; i < crossed.length; i++) {
        for (let j = i + 1; j < crossed.length; j++) {
          const { mean, covariance } = crossMoments(genome, effects, crossed[i]!, crossed[j]!, population);
          const pair = pairIndex(i, j, crossed.length);
          expect(Math.abs(ranked.mean[0]![pair]! - mean[0]!)).toBeLessThan(1e-10 * (1 + Math.abs(mean[0]!)));
          expect(Math.abs(ranked.variance[0]![pair]! - covariance[0]!)).toBeLessThan(1e-9 * (1 + covariance[0]!));
        }
      }
    }),
    { seed: 11, numRuns: someOf(200) },
  );
});

test('where dominance takes all of the additive effect away, rounding makes no variance negative', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom<Population>('F1', 'F2', 'F3', 'BC1_female', 'BC1_male'),
      (values, population) => {
        const { genome } = orderGenome(
          values.map(() => '1'),
          Float64Array.from(values, (_, j) => 7 * j),
        );
        const a = Float64Array.from(values);
        const ones = new Uint8Array(a.length).fill(1);
        const crossed = [
          { first: ones, second: new Uint8Array(a.length) },
          { first: ones, second: ones },
        ] as const;
        const effects = [{ intercept: 0, additive: a, dominance: a }];
        const { covariance } = crossMoments(genome, effects, ...crossed, population);
        expect(covariance[0]).toBeGreaterThanOrEqual(0);
        if (!hasPairMoments(population)) return;
        const [variance] = pairMoments(genome, effects, crossed, population).variance;
        expect(variance![0]).toBeGreaterThanOrEqual(0);
        if (population === 'F1') expect(variance![0]).toBeLessThan(1e-12);
      },
    ),
    { seed: 2, numRuns: someOf(300) },
  );
});

test('runs of markers longer than a tile are no seam', () => {
  const random = createRandomStream(5, 'pairs');
  const count = 1300;
  const { genome } = orderGenome(
    Array.from({ length: count }, (_, j) => (j < 1100 ? 'a' : 'b')),
    Float64Array.from({ length: count }, (_, j) => j / 4),
  );
  const values = (): Float64Array => Float64Array.from({ length: count }, () => random.normal());
  const effects = [{ intercept: 0, additive: values(), dominance: values() }];
  const alleles = (): Uint8Array => Uint8Array.from({ length: count }, () => random.nextInt(2));
  const crossed = Array.from({ length: 6 }, (_, i) => {
    const first = alleles();
    return { first, second: i < 3 ? first : alleles() };
  });
  const ranked = pairMoments(genome, effects, crossed, 'F4');
  for (let i = 0; i < 6; i++) {
    for (let j = i + 1; j < 6; j++) {
      const { covariance } = crossMoments(genome, effects, crossed[i]!, crossed[j]!, 'F4');
      expect(ranked.variance[0]![pairIndex(i, j, 6)]! / covariance[0]!).toBeCloseTo(1, 11);
    }
  }
});

test('identical inbred parents have exactly no variance', () => {
  const line = set.parents.get('LINE003')!;
  const ranked = pairMoments(set.genome, set.effects, [line, set.parents.get('LINE001')!, line], 'DH');
  expect(ranked.variance[0]![pairIndex(0, 2, 3)]).toBe(0);
});
