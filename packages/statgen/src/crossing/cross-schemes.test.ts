import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { crossMoments } from './cross-moments.ts';
import { type CrossSide, orderGenome, type PhasedParent } from './crossing-genome.ts';
import { MAP_FUNCTIONS, type MapFunction } from './map-function.ts';
import { POPULATIONS, type Population } from './population.ts';
import { createAlleleReader } from './progeny-homologs.ts';
import { hasPairMoments, pairIndex, pairMoments } from './rank-pairs.ts';
import { simulateCross, simulateHomologs, summarizeProgeny } from './simulate-cross.ts';
import { plainMoments } from './two-locus.test-data.ts';

const MARKERS = 9;
const CHROMOSOME = ['1', '1', '1', '1', '1', '2', '2', '2', '2'];
/** Two markers at one position, close and distant ones. */
const CM = [0, 3, 3, 41, 190, 10, 11.5, 60, 61];
const { genome, order } = orderGenome(CHROMOSOME, Float64Array.from(CM));
const random = createRandomStream(17, 'schemes');
const alleles = () => Uint8Array.from({ length: MARKERS }, () => random.nextInt(2));
const inbred = (): PhasedParent => {
  const first = alleles();
  return { first, second: first };
};
const plant = (): PhasedParent => ({ first: alleles(), second: alleles() });
const numbers = () => Float64Array.from({ length: MARKERS }, () => random.normal());
const effects = [
  { intercept: 2, additive: numbers(), dominance: numbers() },
  { intercept: -1, additive: numbers(), dominance: null },
];
const [A, B, C, D, X, Y, Z] = [inbred(), inbred(), inbred(), inbred(), plant(), plant(), plant()];

const CROSSES: Record<string, [CrossSide, CrossSide]> = {
  'inbred × inbred': [A, B],
  'inbred × heterozygous': [A, X],
  'heterozygous × heterozygous': [X, Y],
  'three-way of lines': [[A, B], C],
  'three-way of plants': [[X, A], Y],
  'four-way of lines': [
    [A, B],
    [C, D],
  ],
  'four-way of plants': [
    [X, A],
    [Y, Z],
  ],
};

/** Recombination fractions written out, independently of the code under test. */
const R: Record<MapFunction, (morgan: number) => number> = {
  haldane: (d) => (1 - Math.exp(-2 * d)) / 2,
  kosambi: (d) => Math.tanh(2 * d) / 2,
};
const recombination = (mapFunction: MapFunction) => (i: number, j: number) => {
  const [a, b] = [order[i]!, order[j]!];
  return CHROMOSOME[a] === CHROMOSOME[b] ? R[mapFunction](Math.abs(CM[a]! - CM[b]!) / 100) : 0.5;
};

test.each(MAP_FUNCTIONS)('every population of every kind of cross has the enumerated moments, by %s', (mapFunction) => {
  expect([...order]).toEqual([...order].sort((a, b) => a - b));
  for (const [name, [female, male]] of Object.entries(CROSSES)) {
    for (const population of POPULATIONS) {
      const plain = plainMoments(effects, female, male, population, recombination(mapFunction));
      const { mean, covariance } = crossMoments(genome, effects, female, male, population, mapFunction);
      // Sums of a few hundred products of numbers around 1.
      for (const [t, value] of plain.mean.entries())
        expect(Math.abs(mean[t]! - value), `${name} ${population} mean`).toBeLessThan(1e-12 * (1 + Math.abs(value)));
      for (const [k, value] of plain.covariance.entries())
        expect(Math.abs(covariance[k]! - value), `${name} ${population} ${k}`).toBeLessThan(
          1e-12 * (plain.covariance[0]! + plain.covariance[3]! + 1),
        );
    }
  }
});

test('pairs ranked together have the enumerated moments too, in all populations that pairs can share', () => {
  const parents = [A, X, B, Y];
  for (const population of POPULATIONS.filter(hasPairMoments)) {
    const ranked = pairMoments(genome, effects, parents, population);
    for (let i = 0; i < parents.length; i++) {
      for (let j = i + 1; j < parents.length; j++) {
        const plain = plainMoments(effects, parents[i]!, parents[j]!, population, recombination('haldane'));
        const pair = pairIndex(i, j, parents.length);
        for (const t of [0, 1]) {
          expect(Math.abs(ranked.mean[t]![pair]! - plain.mean[t]!)).toBeLessThan(1e-11);
          const variance = plain.covariance[3 * t]!;
          // For a RIL the series is truncated where a power of ρ weighs less than 1e-9.
          expect(Math.abs(ranked.variance[t]![pair]! - variance)).toBeLessThan(1e-8 * variance + 1e-12);
        }
      }
    }
  }
});

/** Differences between simulated and exact figures in standard errors; 4.5 is exceeded once in 150,000 comparisons. */
function expectAgreement(where: string, [female, male]: [CrossSide, CrossSide], population: Population, n: number) {
  const exact = crossMoments(genome, effects, female, male, population);
  const values = simulateCross({
    ...{ genome, effects, female, male, population, progenyCount: n },
    random: createRandomStream(5, where, population),
  });
  const { mean, covariance } = summarizeProgeny(values, 2);
  for (const t of [0, 1]) {
    const variance = exact.covariance[3 * t]!;
    expect(Math.abs(mean[t]! - exact.mean[t]!), `${where} mean`).toBeLessThan(4.5 * Math.sqrt(variance / n) + 1e-9);
    let fourth = 0;
    for (let i = 0; i < n; i++) fourth += (values[2 * i + t]! - exact.mean[t]!) ** 4 / n;
    const error = Math.sqrt(Math.max(0, fourth - variance ** 2) / n);
    expect(Math.abs(covariance[3 * t]! - variance), `${where} variance`).toBeLessThan(4.5 * error + 1e-9);
  }
}

test('simulated progeny have the exact moments, three- and four-way crosses and repeated backcrosses too', () => {
  for (const [name, sides] of Object.entries(CROSSES)) {
    for (const population of ['F1', 'F3', 'DH', 'F3_DH', 'RIL'] as const)
      expectAgreement(name, sides, population, 8000);
    if (!name.includes('way'))
      for (const population of POPULATIONS.filter((one) => one.startsWith('BC')))
        expectAgreement(name, sides, population, 8000);
  }
});

test('genotypes of progeny of four parents have their simulated values', () => {
  for (const population of ['F1', 'F2', 'DH', 'F4_DH'] as const) {
    const [female, male] = CROSSES['four-way of plants']!;
    const grown = { genome, female, male, population, progenyCount: 40 };
    const values = simulateCross({ ...grown, effects, random: createRandomStream(3) });
    const homologs = simulateHomologs({ ...grown, random: createRandomStream(3) });
    const read = createAlleleReader(
      homologs,
      [X, A, Y, Z].flatMap(({ first, second }) => [first, second]),
    );
    const sums = new Float64Array(40);
    const at = new Uint8Array(80);
    for (let j = 0; j < MARKERS; j++) {
      read(j, at);
      for (let i = 0; i < 40; i++) {
        const [u, v] = [at[2 * i]!, at[2 * i + 1]!];
        sums[i]! += effects[0]!.additive[j]! * (u + v) + (u === v ? 0 : effects[0]!.dominance![j]!);
      }
    }
    for (let i = 0; i < 40; i++) expect(2 + sums[i]!).toBeCloseTo(values[2 * i]!, 11);
  }
});

test('backcrosses of three- and four-way crosses take fresh plants of the recurrent side', () => {
  const [female, male] = CROSSES['three-way of plants']!;
  for (const population of ['BC1_male', 'BC2_female', 'BC1_female_DH'] as const)
    expectAgreement('three-way', [female, male], population, 8000);
});
