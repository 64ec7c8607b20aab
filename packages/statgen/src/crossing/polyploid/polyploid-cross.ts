import type { CrossingGenome, TraitEffects } from '../crossing-genome.ts';
import { type GameteDistribution, gameteDistribution, type PairingModel } from './gametes.ts';

/** The homologs of a plant in genome order: 1 = the counted allele (A2), 0 = the other. */
export type Homologs = readonly Uint8Array[];

export interface PolyploidGenome extends CrossingGenome {
  /** Morgan, by chromosome, on the scale of `positionMorgan`; matters for quadrivalents only. */
  centromereMorgan: Float64Array;
}

/** Mean and variance of a trait in the progeny of two plants. */
export interface PolyploidMoments {
  mean: number;
  variance: number;
}

export interface PolyploidCrosses {
  /** Of each trait, in the progeny of two plants, or of one selfed. */
  moments(female: Homologs, male: Homologs): PolyploidMoments[];
  /** Genetic values of a plant, by trait. */
  values(plant: Homologs): number[];
}

/** Raw moments E(x_l^a x_m^b) of copies at two loci, a and b = 0, 1, 2 at a + 3b. */
const MOMENTS = 9;
const BINOMIAL = [
  [1, 0, 0],
  [1, 1, 0],
  [1, 2, 1],
];

/**
 * Exact moments of the progeny of polyploids: value = intercept + Σ a·x + d·4x(k − x)/k² over the markers, x the copies
 * of A2 in the two gametes of a progeny. Everything follows from the distributions of a gamete at pairs of loci of a
 * chromosome; chromosomes are independent. Unmapped markers are in the mean alone. O(p·m²) for a plant and m markers
 * with an effect on a chromosome, p ways of pairing; moments of a plant are kept, so that it is cheap in further
 * crosses.
 *
 * @throws RangeError as `gameteDistribution`
 */
export function createPolyploidCrosses(
  genome: PolyploidGenome,
  effects: readonly TraitEffects[],
  model: PairingModel,
): PolyploidCrosses {
  const distribution = gameteDistribution(model);
  const { ploidy: k } = model;
  const loci = lociOf(genome, effects);
  const perHeterozygosity = 4 / (k * k);
  const coefficients = effects.map(({ additive, dominance }) => {
    const square = loci.markers.map((j) => (dominance === null ? 0 : perHeterozygosity * dominance[j]));
    return { square, linear: loci.markers.map((j, at) => additive[j] + k * square[at]) };
  });
  const kept = new Map<Homologs, Float64Array>();
  const gametesOf = (plant: Homologs): Float64Array => {
    let found = kept.get(plant);
    if (found === undefined) {
      found = pairMoments(plant, loci, distribution, k);
      kept.set(plant, found);
    }
    return found;
  };
  return {
    moments(female, male) {
      const [g, h] = [gametesOf(female), gametesOf(male)];
      return effects.map(({ intercept }, t) => momentsOf({ g, h }, loci, coefficients[t], intercept));
    },
    values: (plant) =>
      effects.map(({ intercept }, t) => {
        const { linear, square } = coefficients[t];
        return loci.markers.reduce((sum, j, at) => {
          const x = plant.reduce((copies, homolog) => copies + homolog[j], 0);
          return sum + linear[at] * x - square[at] * x * x;
        }, intercept);
      }),
  };
}

/** Markers with an effect, and the pairs of them whose covariance counts. */
interface Loci {
  markers: number[];
  /** Places of both among `markers`; a locus with itself among them, the first pairs in the order of `markers`. */
  pairs: { first: number; second: number }[];
  /** Morgan from the centromere, by `markers`; 0 for unmapped ones. */
  places: Float64Array;
  mapped: number;
}

function lociOf(genome: PolyploidGenome, effects: readonly TraitEffects[]): Loci {
  const hasEffect = (j: number): boolean =>
    effects.some(({ additive, dominance }) => additive[j] !== 0 || (dominance !== null && dominance[j] !== 0));
  const markers: number[] = [];
  for (let j = 0; j < genome.markerCount; j++) if (hasEffect(j)) markers.push(j);
  const chromosomeOf = (j: number): number => {
    let c = 0;
    while (genome.chromosomeStart[c + 1] <= j) c++;
    return c;
  };
  const mapped = markers.filter((j) => j < genome.mappedCount).length;
  const chromosomes = markers.slice(0, mapped).map(chromosomeOf);
  const pairs = markers.map((_, at) => ({ first: at, second: at }));
  for (let second = 0; second < mapped; second++) {
    for (let first = second - 1; first >= 0 && chromosomes[first] === chromosomes[second]; first--)
      pairs.push({ first, second });
  }
  const places = Float64Array.from(markers, (j, at) =>
    at < mapped ? genome.positionMorgan[j] - genome.centromereMorgan[chromosomes[at]] : 0,
  );
  return { markers, pairs, places, mapped };
}

/** Moments of the gametes of a plant, by pair. */
function pairMoments(plant: Homologs, loci: Loci, distribution: GameteDistribution, ploidy: number): Float64Array {
  const { markers, pairs, places, mapped } = loci;
  const alleles = markers.map((j) => Uint8Array.from(plant, (homolog) => homolog[j]));
  const side = ploidy / 2 + 1;
  const result = new Float64Array(MOMENTS * pairs.length);
  for (const [pair, { first, second }] of pairs.entries()) {
    // A marker without a place has no distance from the centromere, and so no double reduction.
    const joint = distribution(alleles[first], alleles[second], {
      first: first < mapped ? places[first] : 0,
      second: second < mapped ? places[second] : 0,
    });
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const p = joint[x + side * y];
        if (p === 0) continue;
        let ofY = p;
        for (let b = 0; b < 3; b++, ofY *= y) {
          let both = ofY;
          for (let a = 0; a < 3; a++, both *= x) result[MOMENTS * pair + a + 3 * b] += both;
        }
      }
    }
  }
  return result;
}

function momentsOf(
  { g, h }: { g: Float64Array; h: Float64Array },
  { markers, pairs, mapped }: Loci,
  { linear, square }: { linear: number[]; square: number[] },
  intercept: number,
): PolyploidMoments {
  const of = new Float64Array(MOMENTS);
  const sum = (pair: number): void => {
    const at = MOMENTS * pair;
    for (let b = 0; b < 3; b++) {
      for (let a = 0; a < 3; a++) {
        let total = 0;
        for (let j = 0; j <= b; j++) {
          for (let i = 0; i <= a; i++) {
            total += BINOMIAL[a][i] * BINOMIAL[b][j] * g[at + i + 3 * j] * h[at + a - i + 3 * (b - j)];
          }
        }
        of[a + 3 * b] = total;
      }
    }
  };
  const means = new Float64Array(markers.length);
  let mean = intercept;
  let variance = 0;
  for (const [pair, { first, second }] of pairs.entries()) {
    sum(pair);
    if (first === second) {
      means[first] = linear[first] * of[1] - square[first] * of[2];
      mean += means[first];
      if (first >= mapped) continue;
    }
    const product =
      linear[first] * (linear[second] * of[4] - square[second] * of[7]) -
      square[first] * (linear[second] * of[5] - square[second] * of[8]);
    variance += (first === second ? 1 : 2) * (product - means[first] * means[second]);
  }
  // Rounding leaves a little where nothing segregates.
  return { mean, variance: Math.max(0, variance) };
}
