import { linkage } from '../crossing/map-function.ts';

/**
 * Loci in map order: bit i of a haplotype is locus i, 1 = the favourable allele. At most 30, so that a haplotype is a
 * 31-bit integer.
 */
export interface StackLoci {
  /** Chromosome of each locus, as a number of any kind that is equal on one chromosome. */
  chromosome: readonly number[];
  /** Position of each locus on its chromosome, in Morgan; ascending within a chromosome. */
  morgan: readonly number[];
}

export const MAX_LOCI = 30;

/** Both haplotypes of a plant at the loci. */
export type Plant = readonly [number, number];

/** Recombination of two loci without interference (Haldane 1919): ½ on different chromosomes. */
export function recombination({ chromosome, morgan }: StackLoci, i: number, j: number): number {
  if (chromosome[i] !== chromosome[j]) return 0.5;
  return (1 - linkage('haldane', Math.abs(morgan[j] - morgan[i]))) / 2;
}

/**
 * Probability that a gamete has the favourable allele wherever the plant has one (Servin et al. 2004, eq. 1): ½ for
 * the first heterozygous locus, and r or 1 − r from each to the next, as they stand on different haplotypes or on one.
 */
export function transmission(loci: StackLoci, [first, second]: Plant): number {
  const heterozygous = first ^ second;
  let probability = 1;
  let last = -1;
  for (let i = 0; i < loci.morgan.length; i++) {
    if (((heterozygous >>> i) & 1) === 0) continue;
    if (last < 0) probability /= 2;
    else {
      const r = recombination(loci, last, i);
      probability *= ((first >>> last) & 1) === ((first >>> i) & 1) ? 1 - r : r;
    }
    last = i;
  }
  return probability;
}

/** Draws gametes as the bits of the loci that come from the second haplotype; unlinked loci share one random word. */
export function phaseDraw(loci: StackLoci, random: { uint32(): number; uniform(): number }): () => number {
  const count = loci.morgan.length;
  const r = Float64Array.from({ length: count }, (_, i) => (i === 0 ? 0.5 : recombination(loci, i - 1, i)));
  return () => {
    const word = random.uint32();
    let phase = 0;
    let bit = 0;
    for (let i = 0; i < count; i++) {
      bit = r[i] === 0.5 ? (word >>> i) & 1 : bit ^ (random.uniform() < r[i] ? 1 : 0);
      phase |= bit << i;
    }
    return phase;
  };
}

/** The gamete of a plant in a phase. */
export const gameteOf = ([first, second]: Plant, phase: number): number => (first & ~phase) | (second & phase);

/**
 * Plants among which at least `wanted` are of a kind of this probability, with the assurance: the smallest N whose
 * binomial tail reaches it; ln(1 − assurance)/ln(1 − p) for one plant (Sedcole 1977, Crop Science 17:667).
 *
 * @returns infinity where the kind does not exist or would need more than 10⁹ plants
 */
export function plantsFor(probability: number, assurance: number, wanted = 1): number {
  if (probability >= 1) return wanted;
  if (!(probability > 0)) return Number.POSITIVE_INFINITY;
  const one = Math.ceil(Math.log1p(-assurance) / Math.log1p(-probability) - 1e-9);
  if (one > MOST_PLANTS) return Number.POSITIVE_INFINITY;
  if (wanted === 1) return Math.max(1, one);
  let low = Math.max(wanted, one) - 1;
  let high = Math.max(wanted, one);
  while (atLeast(wanted, high, probability) < assurance) {
    low = high;
    high *= 2;
    if (high > MOST_PLANTS) return Number.POSITIVE_INFINITY;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (atLeast(wanted, middle, probability) < assurance) low = middle;
    else high = middle;
  }
  return high;
}

const MOST_PLANTS = 1e9;

/** P(X ≥ wanted) of a binomial X with n trials. */
export function atLeast(wanted: number, n: number, probability: number): number {
  if (n < wanted) return 0;
  if (probability >= 1) return 1;
  let log = n * Math.log1p(-probability);
  let below = Math.exp(log);
  const odds = Math.log(probability) - Math.log1p(-probability);
  for (let x = 1; x < wanted; x++) {
    log += Math.log((n - x + 1) / x) + odds;
    below += Math.exp(log);
  }
  return Math.max(0, 1 - below);
}
