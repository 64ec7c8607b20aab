import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../../random/random-stream.ts';
import { crossMoments } from '../cross-moments.ts';
import type { TraitEffects } from '../crossing-genome.ts';
import { createAlleleReader } from '../progeny-homologs.ts';
import { summarizeProgeny } from '../simulate-cross.ts';
import { gameteDistribution, type PairingModel } from './gametes.ts';
import { createPolyploidCrosses, type Homologs, type PolyploidGenome } from './polyploid-cross.ts';
import { createPolyploidSimulation } from './simulate-polyploid-cross.ts';

/** Two chromosomes, the centromere of the second beyond its markers, and a marker without a place. */
const GENOME: PolyploidGenome = {
  markerCount: 12,
  mappedCount: 11,
  chromosomeStart: Int32Array.of(0, 7, 11),
  positionMorgan: Float64Array.of(0.1, 0.15, 0.5, 0.5, 0.9, 1.4, 2.2, 0, 0.3, 0.31, 1),
  centromereMorgan: Float64Array.of(0.7, 1.3),
};

function effectsOf(seed: number): TraitEffects[] {
  const random = createRandomStream(seed, 'effects');
  const draw = () => Float64Array.from({ length: GENOME.markerCount }, () => random.uniform() - 0.5);
  return [
    { intercept: 10, additive: draw(), dominance: null },
    { intercept: -3, additive: draw(), dominance: draw() },
  ];
}

function plantOf(ploidy: number, name: string): Homologs {
  const random = createRandomStream(7, name);
  return Array.from({ length: ploidy }, () =>
    Uint8Array.from({ length: GENOME.markerCount }, () => Number(random.uniform() < 0.5)),
  );
}

const MODELS: PairingModel[] = [
  { ploidy: 2, quadrivalents: 0 },
  { ploidy: 4, quadrivalents: 0 },
  { ploidy: 4, quadrivalents: 0, preferential: 1 },
  { ploidy: 4, quadrivalents: 1 },
  { ploidy: 4, quadrivalents: 0.4, preferential: 0.5 },
  { ploidy: 6, quadrivalents: 0 },
  { ploidy: 6, quadrivalents: 0, preferential: 0.3 },
  { ploidy: 8, quadrivalents: 0 },
];
const named = MODELS.map((model) => [JSON.stringify(model), model] as const);

// Within 4.5 standard errors: of some 100 comparisons by fixed seeds one in 1,500 would fail by chance.
describe('simulated progeny of polyploids', () => {
  test.each(named)('have the exact mean and variance: %s', (name, model) => {
    const effects = effectsOf(1);
    const [female, male] = [plantOf(model.ploidy, 'female'), plantOf(model.ploidy, 'male')];
    const exact = createPolyploidCrosses(GENOME, effects, model);
    const simulate = createPolyploidSimulation(GENOME, effects, model);
    const progenyCount = 20_000;
    for (const other of [male, female]) {
      const random = createRandomStream(11, name, other === male ? 'cross' : 'self');
      const { values } = simulate({ female, male: other, progenyCount, random });
      const { mean, covariance } = summarizeProgeny(values, effects.length);
      for (const [t, moments] of exact.moments(female, other).entries()) {
        expect(Math.abs((mean[t] ?? 0) - moments.mean)).toBeLessThan(4.5 * Math.sqrt(moments.variance / progenyCount));
        const fourth = centralMoment(values, effects.length, t, 4);
        const error = Math.sqrt((fourth - moments.variance ** 2) / progenyCount);
        expect(Math.abs((covariance[3 * t] ?? 0) - moments.variance)).toBeLessThan(4.5 * error);
      }
    }
  });

  test.each(named)('have gametes of the exact distribution at pairs of loci: %s', (name, model) => {
    const { ploidy } = model;
    const female = plantOf(ploidy, 'female');
    const progenyCount = 20_000;
    const none = female.map(() => new Uint8Array(GENOME.markerCount));
    const simulate = createPolyploidSimulation(GENOME, effectsOf(1), model);
    const random = createRandomStream(12, name);
    const { homologs } = simulate({ female, male: none, progenyCount, random, keepHomologs: true });
    const read = createAlleleReader(homologs!, [...female, ...none]);
    const distribution = gameteDistribution(model);
    const copiesAt = (marker: number): Uint8Array => {
      const alleles = new Uint8Array(ploidy * progenyCount);
      read(marker, alleles);
      return Uint8Array.from({ length: progenyCount }, (_, i) =>
        alleles.subarray(i * ploidy, (i + 1) * ploidy).reduce((sum, allele) => sum + allele, 0),
      );
    };
    for (const [first, second] of [
      [0, 6],
      [1, 4],
      [5, 6],
      [7, 10],
    ] as const) {
      const places = [first, second].map(
        (j) => (GENOME.positionMorgan[j] ?? 0) - (GENOME.centromereMorgan[j < 7 ? 0 : 1] ?? 0),
      );
      const alleles = (j: number) => Uint8Array.from(female, (homolog) => homolog[j] ?? 0);
      const expected = distribution(alleles(first), alleles(second), { first: places[0] ?? 0, second: places[1] ?? 0 });
      const [one, other] = [copiesAt(first), copiesAt(second)];
      const counts = new Float64Array(expected.length);
      for (const [i, copies] of one.entries()) {
        const at = copies + (ploidy / 2 + 1) * (other[i] ?? 0);
        counts[at] = (counts[at] ?? 0) + 1;
      }
      for (const [at, p] of expected.entries()) {
        const error = Math.sqrt((p * (1 - p)) / progenyCount);
        expect(Math.abs((counts[at] ?? 0) / progenyCount - p)).toBeLessThan(4.5 * error + 1e-12);
      }
    }
  });

  test('have genotypes with the values that the simulation gives', () => {
    const effects = effectsOf(2).map((trait) => ({ ...trait, dominance: trait.dominance }));
    for (const [name, model] of named) {
      const { ploidy } = model;
      const [female, male] = [plantOf(ploidy, 'female'), plantOf(ploidy, 'male')];
      // A marker without a place adds its expected value, which is not that of a genotype.
      for (const homolog of [...female, ...male]) homolog[11] = 0;
      const simulate = createPolyploidSimulation(GENOME, effects, model);
      const random = createRandomStream(13, name);
      const { values, homologs } = simulate({ female, male, progenyCount: 50, random, keepHomologs: true });
      const read = createAlleleReader(homologs!, [...female, ...male]);
      const plants = Array.from({ length: 50 }, () => female.map(() => new Uint8Array(GENOME.markerCount)));
      const alleles = new Uint8Array(50 * ploidy);
      for (let j = 0; j < GENOME.mappedCount; j++) {
        read(j, alleles);
        for (const [at, allele] of alleles.entries()) plants[Math.floor(at / ploidy)]![at % ploidy]![j] = allele;
      }
      const { values: valuesOf } = createPolyploidCrosses(GENOME, effects, model);
      for (const [i, plant] of plants.entries())
        for (const [t, value] of valuesOf(plant).entries()) expect(values[2 * i + t]).toBeCloseTo(value, 10);
      const again = simulate({ female, male, progenyCount: 50, random: createRandomStream(13, name) });
      expect(again).toEqual({ values, homologs: null });
    }
  });
});

test('chromosomes that pair with their neighbours alone are two diploid sets', () => {
  const effects = effectsOf(3).map((trait) => ({ ...trait, dominance: null }));
  const [female, male] = [plantOf(4, 'female'), plantOf(4, 'male')];
  const model = { ploidy: 4, quadrivalents: 0, preferential: 1 };
  const found = createPolyploidCrosses(GENOME, effects, model).moments(female, male);
  const set = (plant: Homologs, k: number) => ({ first: plant[2 * k]!, second: plant[2 * k + 1]! });
  for (const [t, trait] of effects.entries()) {
    const [one, other] = [0, 1].map((k) => crossMoments(GENOME, [trait], set(female, k), set(male, k), 'F1'));
    expect(found[t]?.mean).toBeCloseTo((one?.mean[0] ?? 0) + (other?.mean[0] ?? 0) - trait.intercept, 12);
    expect(found[t]?.variance).toBeCloseTo((one?.covariance[0] ?? 0) + (other?.covariance[0] ?? 0), 12);
  }
});

function centralMoment(values: Float64Array, traits: number, t: number, power: number): number {
  const own = values.filter((_, at) => at % traits === t);
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  return own.reduce((sum, value) => sum + (value - mean) ** power, 0) / own.length;
}
