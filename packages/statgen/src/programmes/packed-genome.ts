import { type CrossingGenome, orderGenome } from '../crossing/crossing-genome.ts';
import {
  createMeiosisMap,
  crossoverGap,
  type MeiosisMap,
  markerAfter,
  type UniformSource,
} from '../crossing/meiosis.ts';

/** Loci of a simulated programme in genome order, one bit each in the words of a haplotype. */
export interface PackedGenome {
  loci: readonly string[];
  /** Kind of each locus as the map says it, for example qtl, chip, neutral; all empty without that column. */
  kind: readonly string[];
  chromosome: readonly string[];
  genome: CrossingGenome;
  map: MeiosisMap;
  /** 32-bit words of a haplotype. */
  words: number;
  /** Index of each locus in the caller's arrays. */
  order: Int32Array;
}

const BITS = 32;

/**
 * @param positionCm centimorgan per locus, none missing
 * @throws RangeError when a position is not finite or lengths differ
 */
export function createPackedGenome(input: {
  loci: readonly string[];
  chromosome: readonly string[];
  positionCm: Float64Array;
  kind?: readonly string[] | undefined;
}): PackedGenome {
  const { genome, order } = orderGenome(input.chromosome, input.positionCm);
  if (genome.mappedCount < genome.markerCount) throw new RangeError('every locus needs a position on the map');
  return {
    loci: Array.from(order, (j) => input.loci[j] ?? ''),
    kind: Array.from(order, (j) => input.kind?.[j] ?? ''),
    chromosome: Array.from(order, (j) => input.chromosome[j]),
    genome,
    map: createMeiosisMap(genome),
    words: Math.ceil(genome.markerCount / BITS),
    order,
  };
}

/** Places in genome order of the loci of a kind; every locus counts when the map names no kinds. */
export function lociOfKind({ kind }: PackedGenome, wanted: string): Int32Array {
  const named = kind.some((one) => one !== '');
  return Int32Array.from(kind.keys()).filter((j) => !named || kind[j] === wanted);
}

/** The allele of a locus in the haplotype that begins at word `at`. */
export function alleleAt(bits: Uint32Array, at: number, locus: number): number {
  return (bits[at + (locus >>> 5)] >>> (locus & 31)) & 1;
}

/** A haplotype among others: the word at which it begins. */
export interface HaplotypePlace {
  bits: Uint32Array;
  at: number;
}

/**
 * Writes one gamete of a plant with homologs `a` and `b` into words of zeros: crossovers are a Poisson process of one a
 * Morgan without interference (Haldane), and every chromosome begins with either homolog with probability ½.
 * O(crossovers + words).
 */
export function packGamete(
  { map }: PackedGenome,
  random: UniformSource,
  [a, b]: readonly [HaplotypePlace, HaplotypePlace],
  into: HaplotypePlace,
): void {
  const { chromosomeStart, chromosomeEndMorgan } = map;
  let next = crossoverGap(random);
  for (let c = 0; c < chromosomeEndMorgan.length; c++) {
    const endLocus = chromosomeStart[c + 1];
    const endMorgan = chromosomeEndMorgan[c];
    let isA = random.uniform() < 0.5;
    let locus = chromosomeStart[c];
    while (locus < endLocus) {
      let to = endLocus;
      if (next < endMorgan) {
        to = markerAfter(map, next, endLocus);
        next += crossoverGap(random);
      }
      if (to > locus) {
        copyBits(isA ? a : b, into, locus, to);
        locus = to;
      }
      isA = !isA;
    }
  }
}

/** Copies loci [from, to); the bits of the target are zero before. */
function copyBits(source: HaplotypePlace, into: HaplotypePlace, from: number, to: number): void {
  const { bits, at: s } = source;
  const { bits: target, at } = into;
  let word = from >>> 5;
  const last = (to - 1) >>> 5;
  const head = -1 << (from & 31);
  const tail = -1 >>> (31 - ((to - 1) & 31));
  if (word === last) {
    target[at + word] |= bits[s + word] & head & tail;
    return;
  }
  target[at + word] |= bits[s + word] & head;
  for (word++; word < last; word++) target[at + word] = bits[s + word];
  target[at + last] |= bits[s + last] & tail;
}
