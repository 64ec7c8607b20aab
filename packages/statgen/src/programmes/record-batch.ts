import { addCrossProductSingle, addProductSingle } from '@heterosis/linalg/products';
import type { PackedGenome } from './packed-genome.ts';
import { alleleCounts, homologAt, type PackedPopulation } from './packed-population.ts';

/** The records of one trial of genotyped individuals. */
export interface RecordBatch {
  y: Float64Array;
  /** Places in the chip of the loci that vary among the individuals, ascending. */
  varying: Int32Array;
  /** Varying loci × n: −1, 0, 1 for 0, 1, 2 copies of allele 1, one individual after the other. */
  codes: Float32Array;
  /** By place in the chip, the code that all individuals have; 0 where it varies. */
  fixed: Int8Array;
  /** Copies of allele 1 by locus in genome order. */
  counts: Int32Array;
}

export function createBatch(
  genome: PackedGenome,
  chip: Int32Array,
  population: PackedPopulation,
  y: Float64Array,
): RecordBatch {
  const counts = alleleCounts(genome, population);
  const fixed = Int8Array.from(chip, (j) => (counts[j] === 0 ? -1 : counts[j] === 2 * population.size ? 1 : 0));
  const varying = Int32Array.from(chip.keys()).filter((k) => fixed[k] === 0);
  return {
    y,
    varying,
    codes: codesOf(
      genome,
      varying.map((k) => chip[k]),
      population,
    ),
    fixed,
    counts,
  };
}

/** Codes of a population at loci, read word by word of its haplotypes. */
function codesOf(genome: PackedGenome, loci: Int32Array, population: PackedPopulation): Float32Array {
  const { bits, inbred } = population;
  const codes = new Float32Array(loci.length * population.size);
  const wordOf = loci.map((locus) => locus >>> 5);
  const bitOf = loci.map((locus) => locus & 31);
  for (let i = 0; i < population.size; i++) {
    const a = homologAt(population, genome, i, false);
    const b = homologAt(population, genome, i, true);
    const at = i * loci.length;
    for (let k = 0; k < loci.length; ) {
      const word = wordOf[k];
      const first = bits[a + word];
      const second = inbred ? first : bits[b + word];
      for (; wordOf[k] === word; k++) codes[at + k] = ((first >>> bitOf[k]) & 1) + ((second >>> bitOf[k]) & 1) - 1;
    }
  }
  return codes;
}

/**
 * Products of the codes of two batches over all loci of the chip, n × n(earlier), column-major; of a batch with itself
 * the lower triangle. Only loci that vary in both need a matrix product: programmes fix loci, and by the tenth cycle
 * these are often a third. The numbers are whole and exact in single precision up to 2²⁴.
 */
export function productsOf(batch: RecordBatch, earlier: RecordBatch): Float32Array {
  const n = batch.y.length;
  const m = earlier.y.length;
  const rows = productsWithFixed(batch, earlier.fixed);
  const columns = batch === earlier ? rows : productsWithFixed(earlier, batch.fixed);
  let both = 0;
  for (let k = 0; k < batch.fixed.length; k++) both += batch.fixed[k] * earlier.fixed[k];
  const products = new Float32Array(n * m);
  for (let j = 0; j < m; j++) {
    for (let i = batch === earlier ? j : 0; i < n; i++) products[i + j * n] = rows[i] + columns[j] + both;
  }
  const common = batch.varying.filter((k) => earlier.fixed[k] === 0);
  if (common.length === 0) return products;
  if (batch === earlier) addCrossProductSingle(products, batch.codes, n, common.length);
  else addProductSingle(products, codesAt(batch, common), codesAt(earlier, common), { m: n, n: m, k: common.length });
  return products;
}

/** Of each individual with codes that all of another batch have. */
function productsWithFixed({ y, varying, codes }: RecordBatch, fixed: Int8Array): Float64Array {
  const others = Float32Array.from(varying, (k) => fixed[k]);
  const products = new Float64Array(y.length);
  if (others.every((code) => code === 0)) return products;
  for (let i = 0; i < y.length; i++) {
    const at = i * varying.length;
    for (let k = 0; k < varying.length; k++) products[i] += codes[at + k] * others[k];
  }
  return products;
}

/** The codes of some of the varying loci. */
function codesAt({ y, varying, codes }: RecordBatch, loci: Int32Array): Float32Array {
  if (loci.length === varying.length) return codes;
  const placeOf = new Map(Array.from(varying, (k, place) => [k, place]));
  const places = Int32Array.from(loci, (k) => placeOf.get(k) ?? -1);
  const chosen = new Float32Array(loci.length * y.length);
  for (let i = 0; i < y.length; i++) {
    const from = i * varying.length;
    const to = i * loci.length;
    for (let k = 0; k < places.length; k++) chosen[to + k] = codes[from + places[k]];
  }
  return chosen;
}
