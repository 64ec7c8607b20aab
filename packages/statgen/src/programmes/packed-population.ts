import type { RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { type PackedGenome, packGamete } from './packed-genome.ts';

/** A number for every individual of a population. */
export interface Column {
  values: Float64Array;
  /** Index of the trait it is about; −1 for none. */
  trait: number;
  /** Variance of its error; NaN where it is not that of a trial. */
  errorVariance: number;
}

/** Individuals as packed haplotypes; fully inbred ones are stored once. */
export interface PackedPopulation {
  size: number;
  inbred: boolean;
  /** Words of an individual: those of one haplotype, or of two. */
  stride: number;
  bits: Uint32Array;
  /** The same memory. Bit j & 7 of byte j >> 3 is locus j: typed arrays are little-endian wherever Node runs. */
  bytes: Uint8Array;
  /** Number of the cross that each comes from. */
  family: Int32Array;
  columns: Map<string, Column>;
  genotyped: boolean;
  /** True when the order is a rank, the best first. */
  ranked: boolean;
}

/** Of one population: 2 GB. */
const MOST_WORDS = 2 ** 29;

/** Individuals whose alleles are all 0. @throws StatgenError `bad-option` above 2 GB */
export function createPopulation(genome: PackedGenome, size: number, inbred: boolean): PackedPopulation {
  const stride = genome.words * (inbred ? 1 : 2);
  if (size * stride > MOST_WORDS) {
    const gigabytes = ((4 * size * stride) / 2 ** 30).toFixed(0);
    throw new StatgenError('bad-option', `a population of ${size} individuals would take ${gigabytes} GB`);
  }
  const bits = new Uint32Array(size * stride);
  return {
    size,
    inbred,
    stride,
    bits,
    bytes: new Uint8Array(bits.buffer),
    family: new Int32Array(size),
    columns: new Map(),
    genotyped: false,
    ranked: false,
  };
}

/** The chosen individuals in the given order, with all that is known of them. */
export function pickIndividuals(
  genome: PackedGenome,
  from: PackedPopulation,
  chosen: ArrayLike<number>,
): PackedPopulation {
  const picked = createPopulation(genome, chosen.length, from.inbred);
  for (let i = 0; i < chosen.length; i++) {
    const at = chosen[i] * from.stride;
    picked.bits.set(from.bits.subarray(at, at + from.stride), i * from.stride);
    picked.family[i] = from.family[chosen[i]];
  }
  for (const [name, column] of from.columns) {
    picked.columns.set(name, { ...column, values: Float64Array.from(chosen, (i) => column.values[i]) });
  }
  picked.genotyped = from.genotyped;
  return picked;
}

/** Word at which a homolog of an individual begins; an inbred one has its haplotype twice. */
export function homologAt(population: PackedPopulation, genome: PackedGenome, i: number, second: boolean): number {
  return i * population.stride + (second && !population.inbred ? genome.words : 0);
}

/** Writes a gamete of individual i into words of zeros. */
function writeGamete(
  { genome, random }: Meiosis,
  population: PackedPopulation,
  i: number,
  into: { bits: Uint32Array; at: number },
): void {
  const { bits } = population;
  const at = homologAt(population, genome, i, false);
  if (population.inbred) into.bits.set(bits.subarray(at, at + genome.words), into.at);
  else
    packGamete(
      genome,
      random,
      [
        { bits, at },
        { bits, at: at + genome.words },
      ],
      into,
    );
}

/** What gametes are made with. */
export interface Meiosis {
  genome: PackedGenome;
  random: RandomStream;
}

/** Parents of a cross by their place in the two populations. */
export type Pair = readonly [female: number, male: number];

/** Progeny of crosses, one family a cross, in the order of the crosses. */
export function crossPairs(
  meiosis: Meiosis,
  parents: { female: PackedPopulation; male: PackedPopulation; pairs: readonly Pair[] },
  progeny: number,
): PackedPopulation {
  const { genome } = meiosis;
  const { female, male, pairs } = parents;
  const made = createPopulation(genome, pairs.length * progeny, false);
  for (const [family, [f, m]] of pairs.entries()) {
    for (let k = 0; k < progeny; k++) {
      const i = family * progeny + k;
      const at = i * made.stride;
      writeGamete(meiosis, female, f, { bits: made.bits, at });
      writeGamete(meiosis, male, m, { bits: made.bits, at: at + genome.words });
      made.family[i] = family;
    }
  }
  return made;
}

/** Doubled haploid lines, `lines` of every plant, each from a gamete of its own; they stay in the plant's family. */
export function doubleGametes(meiosis: Meiosis, plants: PackedPopulation, lines: number): PackedPopulation {
  const made = createPopulation(meiosis.genome, plants.size * lines, true);
  for (let i = 0; i < made.size; i++) {
    const plant = Math.floor(i / lines);
    writeGamete(meiosis, plants, plant, { bits: made.bits, at: i * made.stride });
    made.family[i] = plants.family[plant];
  }
  return made;
}

/** Selfed progeny, `progeny` of every plant; they stay in the plant's family. */
export function selfPlants(meiosis: Meiosis, plants: PackedPopulation, progeny: number): PackedPopulation {
  const pairs = Array.from({ length: plants.size }, (_, i): Pair => [i, i]);
  const made = crossPairs(meiosis, { female: plants, male: plants, pairs }, progeny);
  for (let i = 0; i < made.size; i++) made.family[i] = plants.family[Math.floor(i / progeny)];
  return made;
}

/** Copies of allele 1 at every locus, over all haplotypes; an inbred individual counts twice. */
export function alleleCounts({ genome, words }: PackedGenome, population: PackedPopulation): Int32Array {
  const { bits } = population;
  const counts = new Int32Array(words * BITS);
  const rows = population.inbred ? population.size : population.size * 2;
  const planes = new Uint32Array(PLANES * words);
  for (let first = 0; first < rows; first += MOST_ROWS) {
    const end = Math.min(rows, first + MOST_ROWS);
    for (let row = first; row < end; row += 4) addFourRows(planes, bits, row * words, Math.min(4, end - row) * words);
    for (let p = 0; 1 << p <= end - first; p++) {
      for (let j = 0; j < counts.length; j++) counts[j] += ((planes[p * words + (j >>> 5)] >>> (j & 31)) & 1) << p;
    }
    planes.fill(0);
  }
  const copies = population.inbred ? 2 : 1;
  return counts.subarray(0, genome.markerCount).map((count) => count * copies);
}

const BITS = 32;
const PLANES = 10;
/** The largest multiple of four that the planes count. */
const MOST_ROWS = (1 << PLANES) - 4;

/**
 * Adds up to four rows to bit-sliced counters: plane p holds bit p of the counts of 32 loci a word. Full adders take
 * the rows together, so that carries ripple once for four.
 */
function addFourRows(planes: Uint32Array, bits: Uint32Array, at: number, length: number): void {
  const words = planes.length / PLANES;
  for (let word = 0; word < words; word++) {
    const a = bits[at + word];
    const b = length > words ? bits[at + words + word] : 0;
    const c = length > 2 * words ? bits[at + 2 * words + word] : 0;
    const d = length > 3 * words ? bits[at + 3 * words + word] : 0;
    const zero = planes[word];
    const ab = a ^ b;
    const half = zero ^ ab;
    const firstCarry = (a & b) | (zero & ab);
    const cd = c ^ d;
    planes[word] = half ^ cd;
    const secondCarry = (c & d) | (half & cd);
    const one = planes[words + word];
    const both = firstCarry ^ secondCarry;
    planes[words + word] = one ^ both;
    let carry = (firstCarry & secondCarry) | (one & both);
    for (let p = 2 * words + word; carry !== 0; p += words) {
      const kept = planes[p] & carry;
      planes[p] ^= carry;
      carry = kept;
    }
  }
}
