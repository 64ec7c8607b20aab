import { crossMean } from './cross-moments.ts';
import {
  type CrossingGenome,
  type CrossSide,
  isPlant,
  type PhasedParent,
  plantsOf,
  requireGenomeLength,
  type TraitEffects,
} from './crossing-genome.ts';
import {
  areIdentical,
  createMeiosisMap,
  crossoverGap,
  type Homolog,
  type MeiosisMap,
  makeGamete,
  markerAfter,
  type UniformSource,
  wholeHomolog,
} from './meiosis.ts';
import { type BreedingScheme, breedingScheme, type Population } from './population.ts';
import { createSegmentStore, type ProgenyHomologs } from './progeny-homologs.ts';
import { addHomologValue, addPairValue, haplotypeTables, pairTables } from './segment-values.ts';

/** One cross to simulate; haplotypes in genome order. */
export interface ProgenyInput {
  genome: CrossingGenome;
  /** From `createMeiosisMap(genome)`, created once and shared between crosses. */
  map?: MeiosisMap;
  female: CrossSide;
  male: CrossSide;
  population: Population;
  progenyCount: number;
  /** The cross's own random stream, so that results do not depend on which worker simulates which cross. */
  random: UniformSource;
}

/** One cross to simulate; effects in genome order. */
export interface CrossSimulationInput extends ProgenyInput {
  effects: readonly TraitEffects[];
}

/** Mean, unbiased variance and covariance of simulated progeny. */
export interface ProgenySummary {
  mean: Float64Array;
  /** T × T with divisor n − 1; NaN for fewer than two progeny. */
  covariance: Float64Array;
}

/** Selfings after which a line counts as fixed: 2^−200 of the genome may still segregate. */
const MAX_SELFINGS = 200;

/**
 * Genetic values of simulated progeny, `progenyCount` × T, the traits of one progeny adjacent.
 *
 * A gamete is a list of breakpoints, not of alleles: its value is a sum of differences of prefix sums of the effects
 * along the parental haplotypes, so a progeny costs O(crossovers) whatever the number of markers. Unmapped markers add
 * their expected value to every progeny. Crossovers follow Haldane's model, without interference; each progeny comes
 * from its own F1 plants.
 *
 * @throws RangeError when lengths do not match or `progenyCount` is not a non-negative integer
 */
export function simulateCross(input: CrossSimulationInput): Float64Array {
  const { genome, effects, female, male, population, progenyCount, random } = input;
  const plants = [...plantsOf(female), ...plantsOf(male)];
  requireGenomeLength(genome, effects, plants);
  requireProgenyCount(progenyCount);
  const scheme = breedingScheme(population);
  const map = input.map ?? createMeiosisMap(genome);
  const constant = Float64Array.from(effects, (trait) => unmappedMean(genome, trait, female, male, population));
  const values = new Float64Array(progenyCount * effects.length);
  const haplotypes = plants.flatMap(({ first, second }) => [first, second]);
  if (population === 'DH' && isPlant(female) && isPlant(male) && isInbred(female) && isInbred(male)) {
    simulateDoubledHaploids(map, genome, effects, haplotypes, constant, random, values);
    return values;
  }
  const fixed = scheme.doubled || !Number.isFinite(scheme.selfings);
  const withDominance = !fixed && effects.some((trait) => trait.dominance !== null);
  const tables = withDominance
    ? pairTables(genome, effects, haplotypes)
    : haplotypeTables(genome, effects, haplotypes, fixed ? 2 : 1);
  const traits = effects.length;
  const segments = { tables, haplotypes: haplotypes.length, traits, end: genome.mappedCount };
  const plant = createProgeny(female, male);
  for (let i = 0; i < progenyCount; i++) {
    growProgeny(plant, scheme, map, random);
    const at = i * traits;
    values.set(constant, at);
    if (withDominance) {
      addPairValue([plant.a, plant.b], segments, values, at);
    } else {
      addHomologValue(plant.a, segments, values, at);
      if (!fixed) addHomologValue(plant.b, segments, values, at);
    }
  }
  return values;
}

/**
 * The homologs of the progeny whose values {@link simulateCross} returns for the same input and a stream in the same
 * state: both make the same draws. O(crossovers) in time and memory, about 400 bytes per plant of 20 Morgan.
 *
 * @throws RangeError like {@link simulateCross}
 */
export function simulateHomologs(input: ProgenyInput): ProgenyHomologs {
  const { genome, female, male, population, progenyCount, random } = input;
  requireGenomeLength(genome, [], [...plantsOf(female), ...plantsOf(male)]);
  requireProgenyCount(progenyCount);
  const scheme = breedingScheme(population);
  const isLine = scheme.doubled || !Number.isFinite(scheme.selfings);
  const map = input.map ?? createMeiosisMap(genome);
  const plant = createProgeny(female, male);
  const store = createSegmentStore(2 * progenyCount);
  for (let i = 0; i < progenyCount; i++) {
    growProgeny(plant, scheme, map, random);
    store.add(plant.a);
    store.add(isLine ? plant.a : plant.b);
  }
  return store.homologs();
}

function requireProgenyCount(progenyCount: number): void {
  if (!Number.isInteger(progenyCount) || progenyCount < 0) {
    throw new RangeError(`the number of progeny must be a whole number of at least 0, not ${progenyCount}`);
  }
}

/** Mean, variance and covariance per trait of a `progeny` × T array as {@link simulateCross} returns it. */
export function summarizeProgeny(values: Float64Array, traits: number): ProgenySummary {
  const n = traits === 0 ? 0 : values.length / traits;
  const mean = new Float64Array(traits);
  const covariance = new Float64Array(traits * traits);
  for (let i = 0; i < n; i++) for (let t = 0; t < traits; t++) mean[t] += values[i * traits + t] / n;
  for (let i = 0; i < n; i++) {
    for (let t = 0; t < traits; t++) {
      const deviation = values[i * traits + t] - mean[t];
      for (let s = 0; s < traits; s++) covariance[t * traits + s] += deviation * (values[i * traits + s] - mean[s]);
    }
  }
  for (let k = 0; k < covariance.length; k++) covariance[k] = n > 1 ? covariance[k] / (n - 1) : Number.NaN;
  return { mean, covariance };
}

/** A plant as two homologs; a side of a cross as one plant or two. */
type Homologs = readonly [Homolog, Homolog];
type Side = readonly [Homologs] | readonly [Homologs, Homologs];

/** The two homologs of the plant being bred, its parents, and scratch lists. */
interface Progeny {
  a: Homolog;
  b: Homolog;
  spareA: Homolog;
  spareB: Homolog;
  female: Side;
  male: Side;
  /** Homologs of the F1 plant of a side that has two plants. */
  sideA: Homolog;
  sideB: Homolog;
}

function createProgeny(female: CrossSide, male: CrossSide): Progeny {
  let origin = 0;
  const homologsOf = (plant: PhasedParent): Homologs => {
    const first = origin;
    origin += 2;
    // Identical haplotypes get one origin: gametes of an inbred parent need no crossovers.
    return [wholeHomolog(first), wholeHomolog(isInbred(plant) ? first : first + 1)];
  };
  const sideOf = (side: CrossSide): Side =>
    isPlant(side) ? [homologsOf(side)] : [homologsOf(side[0]), homologsOf(side[1])];
  return {
    a: wholeHomolog(0),
    b: wholeHomolog(0),
    spareA: wholeHomolog(0),
    spareB: wholeHomolog(0),
    female: sideOf(female),
    male: sideOf(male),
    sideA: wholeHomolog(0),
    sideB: wholeHomolog(0),
  };
}

/** Leaves a new progeny in `plant.a` and `plant.b`; a doubled haploid or fixed line is in `plant.a` alone. */
function growProgeny(plant: Progeny, scheme: BreedingScheme, map: MeiosisMap, random: UniformSource): void {
  sideGamete(plant, plant.female, plant.a, map, random);
  sideGamete(plant, plant.male, plant.b, map, random);
  for (let k = 0; k < scheme.backcrosses; k++) {
    makeGamete(map, random, plant.a, plant.b, plant.spareA);
    sideGamete(plant, scheme.backcrossTo === 'female' ? plant.female : plant.male, plant.spareB, map, random);
    swapWithSpares(plant);
  }
  const selfings = Math.min(scheme.selfings, MAX_SELFINGS);
  for (let s = 0; s < selfings && !areIdentical(plant.a, plant.b); s++) {
    makeGamete(map, random, plant.a, plant.b, plant.spareA);
    makeGamete(map, random, plant.a, plant.b, plant.spareB);
    swapWithSpares(plant);
  }
  if (scheme.doubled) {
    makeGamete(map, random, plant.a, plant.b, plant.spareA);
    swapWithSpares(plant);
  }
}

/** Draws a gamete of one side: from its plant, or from a new F1 plant of its two. */
function sideGamete(plant: Progeny, side: Side, gamete: Homolog, map: MeiosisMap, random: UniformSource): void {
  const [one, other] = side;
  if (other === undefined) {
    plantGamete(one, gamete, map, random);
    return;
  }
  plantGamete(one, plant.sideA, map, random);
  plantGamete(other, plant.sideB, map, random);
  makeGamete(map, random, plant.sideA, plant.sideB, gamete);
}

function plantGamete([first, second]: Homologs, gamete: Homolog, map: MeiosisMap, random: UniformSource): void {
  if (first.origin[0] === second.origin[0]) {
    gamete.count = 1;
    gamete.start[0] = 0;
    gamete.origin[0] = first.origin[0];
  } else {
    makeGamete(map, random, first, second, gamete);
  }
}

function swapWithSpares(plant: Progeny): void {
  const { a, b } = plant;
  plant.a = plant.spareA;
  plant.b = plant.spareB;
  plant.spareA = a;
  plant.spareB = b;
}

/** DH lines of two inbred parents: one pass over the crossovers, without segment lists. */
function simulateDoubledHaploids(
  map: MeiosisMap,
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  haplotypes: readonly Uint8Array[],
  constant: Float64Array,
  random: UniformSource,
  values: Float64Array,
): void {
  const traits = effects.length;
  const tables = haplotypeTables(genome, effects, haplotypes, 2);
  const femaleTable = tables[0];
  const maleTable = tables[2];
  const end = genome.mappedCount * traits;
  // The value of an all-male line, plus the difference that each stretch of female chromosome makes.
  const allMale = constant.map((value, t) => value + maleTable[end + t]);
  const difference = femaleTable.map((value, k) => value - maleTable[k]);
  const { chromosomeStart, chromosomeEndMorgan } = map;
  const chromosomes = chromosomeEndMorgan.length;
  for (let at = 0; at < values.length; at += traits) {
    for (let t = 0; t < traits; t++) values[at + t] = allMale[t];
    let next = crossoverGap(random);
    for (let c = 0; c < chromosomes; c++) {
      const endMarker = chromosomeStart[c + 1];
      const endMorgan = chromosomeEndMorgan[c];
      let sign = 1;
      if (random.uniform() < 0.5) {
        for (let t = 0, k = chromosomeStart[c] * traits; t < traits; t++) values[at + t] -= difference[k + t];
      } else {
        sign = -1;
      }
      while (next < endMorgan) {
        const k = markerAfter(map, next, endMarker) * traits;
        for (let t = 0; t < traits; t++) values[at + t] += sign * difference[k + t];
        sign = -sign;
        next += crossoverGap(random);
      }
      if (sign > 0) for (let t = 0, k = endMarker * traits; t < traits; t++) values[at + t] += difference[k + t];
    }
  }
}

/** Intercept plus the expected contribution of the unmapped markers. */
function unmappedMean(
  genome: CrossingGenome,
  trait: TraitEffects,
  female: CrossSide,
  male: CrossSide,
  population: Population,
): number {
  const from = genome.mappedCount;
  const tail = ({ first, second }: PhasedParent) => ({ first: first.subarray(from), second: second.subarray(from) });
  const tails = (side: CrossSide): CrossSide => (isPlant(side) ? tail(side) : [tail(side[0]), tail(side[1])]);
  return crossMean(
    {
      intercept: trait.intercept,
      additive: trait.additive.subarray(from),
      dominance: trait.dominance?.subarray(from) ?? null,
    },
    tails(female),
    tails(male),
    population,
  );
}

function isInbred({ first, second }: PhasedParent): boolean {
  return first.every((allele, j) => allele === second[j]);
}
