// Parents, marker effects and a linkage map as plain numbers: all that the dense definitions of crosses see.
import { createRandomStream, type RandomStream } from '@heterosis/statgen/random/random-stream';
import { TRAITS, UNKNOWN } from './world.test-data.ts';

/** The two alleles of every marker; genotypes count the second. */
export const ALLELES = ['A', 'C'] as const;

export interface CrossingMarker {
  id: string;
  chromosome: string;
  positionBp: number;
}

/** A plant's two haplotypes by marker: 1 is the second allele; null where the call is missing. */
export interface CrossingPlant {
  name: string;
  first: (number | null)[];
  second: (number | null)[];
}

/** Effects of one copy of an allele and of being heterozygous, by trait. */
export interface CrossingEffect {
  id: string;
  allele: (typeof ALLELES)[number];
  additive: number[];
  dominance: number[];
  /** Copies of the allele and share of heterozygotes where the effects were estimated; null when unknown. */
  mean: { copies: number; heterozygosity: number } | null;
}

export interface CrossingMapRow {
  id: string;
  chromosome: string;
  /** NaN: those of the marker in the genotype. */
  positionBp: number;
  positionCm: number;
}

export interface CrossingWorld {
  markers: CrossingMarker[];
  plants: CrossingPlant[];
  traits: { name: string; intercept: number }[];
  effects: CrossingEffect[];
  map: CrossingMapRow[];
}

export interface CrossingWorldOptions {
  /** Plants with phased heterozygous calls, and dominance; else inbred lines and additive effects. */
  isHeterozygous: boolean;
  /** The first trait; one without effects when it is that of noise. */
  trait: string;
}

/** Beside the first. */
const OTHER_TRAIT = 'height';
/** A trait of 0 at 0 copies everywhere, as tables of effects have it. */
const INTERCEPT = 0;
const PLANTS = 8;
const INBRED = 3;
const MISSING = 0.02;
/** Markers by chromosome; one of the last chromosome is on the map, so that the others have no place. */
const CHROMOSOMES = [
  { name: '1', markers: 11 },
  { name: '2', markers: 8 },
  { name: '3', markers: 3 },
  { name: UNKNOWN, markers: 4 },
];
/** Of the markers: without effect; unknown to the map but on its chromosomes; at the place of the one before. */
const WITHOUT_EFFECT = [4, 13];
const NOT_ON_MAP = [0, 6, 15, 20, 21, 24, 25];
const SAME_PLACE = [9];
/** Where the map puts markers without chromosome in the genotype. */
const PLACED_BY_MAP = '2';
/** Markers with an effect that the genotype of the parents lacks. */
const NOT_IN_GENOTYPE = 2;

/**
 * Families with markers in all situations: with and without effect, on the map, between its rows, beyond them, on a
 * chromosome of which it has one row, without chromosome, and at one place. Half of the effects are of the first
 * allele.
 */
export function crossingWorld(seed: number, { isHeterozygous, trait }: CrossingWorldOptions): CrossingWorld {
  const random = createRandomStream(seed, 'crossing world');
  const markers = CHROMOSOMES.flatMap(({ name, markers: count }) =>
    Array.from({ length: count }, (_, k) => ({ chromosome: name, positionBp: 2_000_000 * (k + 1) + 100_000 * k * k })),
  ).map((marker, j): CrossingMarker => ({ id: `m${j + 1}`, ...marker }));
  const plants = Array.from({ length: PLANTS }, (_, i): CrossingPlant => {
    const isInbred = !isHeterozygous || i < INBRED;
    const name = `P${i + 1}`;
    const first: CrossingPlant['first'] = haplotype(random, markers.length);
    const second: CrossingPlant['second'] = isInbred ? [...first] : haplotype(random, markers.length);
    for (const j of markers.keys()) if (random.uniform() < MISSING) [first[j], second[j]] = [null, null];
    return { name, first, second };
  });
  const isNull = trait === TRAITS.nothing;
  const effects = [...markers.filter((_, j) => !WITHOUT_EFFECT.includes(j)), ...lacking()].map(
    ({ id }, j): CrossingEffect => {
      const [a, b, d] = [random.normal(), random.normal(), 0.5 * random.normal()];
      return {
        ...{ id, allele: ALLELES[j % 2], mean: null },
        additive: [isNull ? 0 : a, 0.4 * a + b],
        dominance: [isNull || !isHeterozygous ? 0 : d, 0],
      };
    },
  );
  const map = markers.flatMap(({ id, chromosome, positionBp }, j): CrossingMapRow[] => {
    if (NOT_ON_MAP.includes(j)) return [];
    const place = chromosome === UNKNOWN ? 70 + j : centimorgan(positionBp);
    const before = markers[j - 1];
    return [
      {
        id,
        chromosome: chromosome === UNKNOWN ? PLACED_BY_MAP : chromosome,
        positionBp: chromosome === UNKNOWN ? 40_000_000 + positionBp : positionBp,
        positionCm: SAME_PLACE.includes(j) && before !== undefined ? centimorgan(before.positionBp) : place,
      },
    ];
  });
  return {
    markers,
    plants,
    traits: [trait, OTHER_TRAIT].map((name) => ({ name, intercept: INTERCEPT })),
    effects,
    map: [...map, { id: 'framework', chromosome: '1', positionBp: 5_200_000, positionCm: 24 }],
  };
}

/** Recombination differs along chromosomes. */
const centimorgan = (bp: number): number => bp / 250_000 + (bp / 1_000_000) ** 2 / 20;

/** Alleles in runs, as neighbours are inherited together. */
function haplotype(random: RandomStream, markers: number): number[] {
  let allele = random.nextInt(2);
  return Array.from({ length: markers }, () => {
    if (random.uniform() < 0.4) allele = random.nextInt(2);
    return allele;
  });
}

const lacking = (): Pick<CrossingMarker, 'id'>[] =>
  Array.from({ length: NOT_IN_GENOTYPE }, (_, k) => ({ id: `elsewhere${k + 1}` }));

/** Individuals to train a model with: deviations of their values by trait, and dosages marker after marker. */
export function trainingDeviates(
  individuals: number,
  traits: number,
): { errors: number[][]; dosagesOf: () => number[] } {
  const random = createRandomStream(individuals, 'training of a model for crosses');
  return {
    errors: Array.from({ length: individuals }, () => Array.from({ length: traits }, () => random.normal())),
    dosagesOf: () => Array.from({ length: individuals }, () => random.nextInt(2) + random.nextInt(2)),
  };
}
