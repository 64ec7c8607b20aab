import { countDifferences, WORDS } from './difference-counts.ts';
import type { PackedGenome } from './packed-genome.ts';
import { alleleCounts, homologAt, type PackedPopulation } from './packed-population.ts';

/** The records of one trial of genotyped individuals. */
export interface RecordBatch {
  y: Float64Array;
  /** Rows of an individual in `bits`: one haplotype of an inbred one, otherwise two. */
  homologs: 1 | 2;
  /** Haplotypes with the alleles of the chip; all other bits are 0. A row has a multiple of eight words. */
  bits: Uint32Array;
  words: number;
  /** Loci of the chip. */
  loci: number;
  /** Copies of allele 1 by locus in genome order. */
  counts: Int32Array;
}

export function createBatch(
  genome: PackedGenome,
  chip: Int32Array,
  population: PackedPopulation,
  y: Float64Array,
): RecordBatch {
  const mask = new Uint32Array(genome.words);
  for (const locus of chip) mask[locus >>> 5] |= 1 << (locus & 31);
  const words = Math.ceil(genome.words / WORDS) * WORDS;
  const homologs = population.inbred ? 1 : 2;
  const bits = new Uint32Array(population.size * homologs * words);
  for (let i = 0; i < population.size; i++) {
    for (let h = 0; h < homologs; h++) {
      const from = homologAt(population, genome, i, h === 1);
      const to = (i * homologs + h) * words;
      for (let w = 0; w < mask.length; w++) bits[to + w] = population.bits[from + w] & mask[w];
    }
  }
  return { y, homologs, bits, words, loci: chip.length, counts: alleleCounts(genome, population) };
}

/**
 * Products of the codes −1, 0, 1 of two batches over all loci of the chip, n × n(earlier), column-major; of a batch
 * with itself the lower triangle. A code is the mean of −1 and 1 of its two alleles, and the product of such signs over
 * m loci is m less twice the number of loci in which they differ, which takes one instruction for 64 loci. The numbers
 * are whole and exact in single precision up to 2²⁴.
 */
export function productsOf(batch: RecordBatch, earlier: RecordBatch): Float32Array {
  const n = batch.y.length;
  const m = earlier.y.length;
  const [own, others] = [batch.homologs, earlier.homologs];
  const products = new Float32Array(n * m);
  const each = 2 / (own * others);
  for (let j = 0; j < m; j++) products.fill(batch.loci, batch === earlier ? j + j * n : j * n, (j + 1) * n);
  const rowsOf = ({ bits, y, homologs, words }: RecordBatch) => ({ bits, rows: y.length * homologs, words });
  const rows = n * own;
  const until = (first: number) =>
    batch === earlier ? Math.min(rows, (Math.floor((first + 3) / own) + 1) * own) : m * others;
  countDifferences(rowsOf(batch), rowsOf(earlier), until, (first, counts) => {
    const last = Math.min(rows, first + 4);
    const end = until(first);
    for (let s = 0; s < end; s++) {
      const j = Math.floor(s / others);
      for (let r = first; r < last; r++) {
        const i = Math.floor(r / own);
        if (batch !== earlier || i >= j) products[i + j * n] -= each * counts[4 * s + r - first];
      }
    }
  });
  return products;
}

/** Bytes whose sums stay in the first cache while all rows pass. */
const TILE = 8;

/**
 * Adds Σ weight · code of the individuals to the sums of the loci of the chip. Each byte of a row counts its weight for
 * the pattern of eight alleles that it is; sums of loci are sums over patterns.
 *
 * @param weights of the individuals
 * @param sums by locus in genome order; those beside the chip mean nothing
 */
export function addWeightedCodes(
  { y, homologs, bits, words }: RecordBatch,
  weights: Float64Array,
  sums: Float64Array,
): void {
  const bytes = new Uint8Array(bits.buffer);
  const stride = 4 * words;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const byPattern = new Float64Array(TILE * 256);
  const each = 2 / homologs;
  for (let first = 0; first * 8 < sums.length; first += TILE) {
    byPattern.fill(0);
    const end = Math.min(stride, first + TILE);
    for (let row = 0; row < y.length * homologs; row++) {
      const weight = each * weights[homologs === 1 ? row : row >> 1];
      const at = row * stride;
      for (let byte = first; byte < end; byte++) byPattern[(byte - first) * 256 + bytes[at + byte]] += weight;
    }
    for (let byte = first; byte < end; byte++) {
      const of = byPattern.subarray((byte - first) * 256, (byte - first + 1) * 256);
      // Half of the patterns have the highest bit; folded upon the others they tell the next one in the same way.
      for (let bit = 7; bit >= 0; bit--) {
        const half = 1 << bit;
        let sum = 0;
        for (let pattern = 0; pattern < half; pattern++) {
          sum += of[half + pattern];
          of[pattern] += of[half + pattern];
        }
        if (byte * 8 + bit < sums.length) sums[byte * 8 + bit] += sum - total;
      }
    }
  }
}
