import { type CrossSide, isPlant, type PhasedParent, type TraitEffects } from './crossing-genome.ts';
import { breedingScheme, type Population } from './population.ts';

/*
 * A slow, plain reference for the moments of crosses: the distribution of a plant's two haplotypes at two loci, over
 * the 16 ordered pairs of the four haplotypes 00, 01, 10, 11, is carried through every generation of the scheme. It
 * depends only on the recombination fraction of the two loci.
 */

/**
 * Probability of the ordered pair (a, b) of haplotypes at 4a + b; haplotype h has allele h >> 1 at the first locus
 * and h & 1 at the second.
 */
type PlantDistribution = Float64Array;
/** Probability of each haplotype. */
type GameteDistribution = Float64Array;

/** Selfings that represent fixation: 2^−50 of heterozygosity is left. */
const FIXATION = 50;

function gametes(plant: PlantDistribution, r: number): GameteDistribution {
  const result = new Float64Array(4);
  for (let a = 0; a < 4; a++) {
    for (let b = 0; b < 4; b++) {
      const p = plant[4 * a + b];
      result[a] += (p * (1 - r)) / 2;
      result[b] += (p * (1 - r)) / 2;
      result[(a & 2) | (b & 1)] += (p * r) / 2;
      result[(b & 2) | (a & 1)] += (p * r) / 2;
    }
  }
  return result;
}

function crossed(female: GameteDistribution, male: GameteDistribution): PlantDistribution {
  return Float64Array.from({ length: 16 }, (_, k) => female[k >> 2] * male[k & 3]);
}

function selfed(plant: PlantDistribution, r: number): PlantDistribution {
  const result = new Float64Array(16);
  for (let k = 0; k < 16; k++) {
    if (plant[k] === 0) continue;
    const one = new Float64Array(16);
    one[k] = 1;
    const g = gametes(one, r);
    crossed(g, g).forEach((p, m) => {
      result[m] += plant[k] * p;
    });
  }
  return result;
}

function doubled(gamete: GameteDistribution): PlantDistribution {
  const result = new Float64Array(16);
  gamete.forEach((p, h) => {
    result[5 * h] = p;
  });
  return result;
}

function plantAt({ first, second }: PhasedParent, i: number, j: number): PlantDistribution {
  const result = new Float64Array(16);
  result[4 * (2 * first[i] + first[j]) + 2 * second[i] + second[j]] = 1;
  return result;
}

function sideGametes(side: CrossSide, i: number, j: number, r: number): GameteDistribution {
  if (isPlant(side)) return gametes(plantAt(side, i, j), r);
  const [a, b] = side;
  return gametes(crossed(gametes(plantAt(a, i, j), r), gametes(plantAt(b, i, j), r)), r);
}

function progeny(female: GameteDistribution, male: GameteDistribution, population: Population, r: number) {
  const { backcrosses, backcrossTo, selfings, doubled: isDoubled } = breedingScheme(population);
  let plant = crossed(female, male);
  for (let k = 0; k < backcrosses; k++) plant = crossed(gametes(plant, r), backcrossTo === 'female' ? female : male);
  for (let k = 0; k < Math.min(selfings, FIXATION); k++) plant = selfed(plant, r);
  return isDoubled ? doubled(gametes(plant, r)) : plant;
}

/** Distributions found so far: pairs of loci with the same alleles and recombination are the same to a cross. */
const KNOWN = new Map<string, PlantDistribution>();
const MOST_KNOWN = 400_000;

function progenyAt(
  female: CrossSide,
  male: CrossSide,
  population: Population,
  [i, j]: readonly [number, number],
  r: number,
): PlantDistribution {
  const alleles = (side: CrossSide): string =>
    (isPlant(side) ? [side] : side)
      .map(({ first, second }) => `${first[i]}${first[j]}${second[i]}${second[j]}`)
      .join('+');
  const key = `${alleles(female)} ${alleles(male)} ${population} ${r}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  if (KNOWN.size > MOST_KNOWN) KNOWN.clear();
  const found = progeny(sideGametes(female, i, j, r), sideGametes(male, i, j, r), population, r);
  KNOWN.set(key, found);
  return found;
}

/**
 * Mean and covariance (T × T) of the genetic values of a cross by enumeration, O(m²).
 *
 * @param recombination recombination fraction of two loci
 */
export function plainMoments(
  effects: readonly TraitEffects[],
  female: CrossSide,
  male: CrossSide,
  population: Population,
  recombination: (i: number, j: number) => number,
): { mean: number[]; covariance: number[] } {
  const traits = effects.length;
  const markers = effects[0].additive.length;
  const valueAt = (t: number, marker: number, u: number, v: number) =>
    effects[t].additive[marker] * (u + v) + (u === v ? 0 : (effects[t].dominance?.[marker] ?? 0));
  const mean = effects.map(({ intercept }) => intercept);
  const covariance = Array.from({ length: traits * traits }, () => 0);
  for (let i = 0; i < markers; i++) {
    for (let j = i; j < markers; j++) {
      const r = i === j ? 0 : recombination(i, j);
      const plant = progenyAt(female, male, population, [i, j], r);
      for (let t = 0; t < traits; t++) {
        for (let s = 0; s < traits; s++) {
          let [x, y, xy] = [0, 0, 0];
          plant.forEach((p, k) => {
            const [a, b] = [k >> 2, k & 3];
            const first = valueAt(t, i, a >> 1, b >> 1);
            const second = valueAt(s, j, a & 1, b & 1);
            x += p * first;
            y += p * second;
            xy += p * first * second;
          });
          covariance[t * traits + s] += xy - x * y;
          // The pair (j, i) with the traits swapped.
          if (i !== j) covariance[s * traits + t] += xy - x * y;
          if (i === j && s === t) mean[t] += x;
        }
      }
    }
  }
  return { mean, covariance };
}
