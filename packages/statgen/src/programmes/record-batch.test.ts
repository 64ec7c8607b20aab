import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { alleleAt, createPackedGenome } from './packed-genome.ts';
import { createPopulation, homologAt, type PackedPopulation } from './packed-population.ts';
import { addWeightedCodes, createBatch, productsOf } from './record-batch.ts';
import { varyingCodes } from './varying-codes.ts';

const LOCI = 70;
const genome = createPackedGenome({
  loci: Array.from({ length: LOCI }, (_, j) => `l${j}`),
  chromosome: Array.from({ length: LOCI }, () => '1'),
  positionCm: Float64Array.from({ length: LOCI }, (_, j) => j),
});
const chip = Int32Array.from(genome.loci.keys()).filter((j) => j % 7 !== 0);
const random = createRandomStream(1, 'batches');

/** Individuals that vary at some loci, and lack or have allele 1 at the others. */
function population(size: number, inbred: boolean): PackedPopulation {
  const made = createPopulation(genome, size, inbred);
  for (let j = 0; j < LOCI; j++) {
    const kind = random.nextInt(3);
    for (let row = 0; row < size * (inbred ? 1 : 2); row++) {
      const allele = kind === 2 ? random.nextInt(2) : kind;
      made.bits[row * genome.words + (j >>> 5)] |= allele << (j & 31);
    }
  }
  return made;
}

const plain = (a: PackedPopulation, i: number, b: PackedPopulation, k: number) =>
  chip.reduce((sum, j) => {
    const code = (of: PackedPopulation, at: number) =>
      alleleAt(of.bits, homologAt(of, genome, at, false), j) +
      alleleAt(of.bits, homologAt(of, genome, at, true), j) -
      1;
    return sum + code(a, i) * code(b, k);
  }, 0);

test('products of two batches and of one with itself are those over all loci', () => {
  const pools = [population(9, true), population(5, false)];
  const [lines, plants] = pools.map((pool) => createBatch(genome, chip, pool, new Float64Array(pool.size)));
  for (const [a, b] of [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ]) {
    const products = productsOf([lines, plants][a], [lines, plants][b]);
    for (let k = 0; k < pools[b].size; k++) {
      for (let i = a === b ? k : 0; i < pools[a].size; i++) {
        expect(products[i + k * pools[a].size]).toBe(plain(pools[a], i, pools[b], k));
      }
    }
  }
});

test('sums of weighted codes are those of the individuals', () => {
  for (const pool of [population(11, true), population(6, false)]) {
    const weights = Float64Array.from({ length: pool.size }, () => random.normal());
    const sums = new Float64Array(LOCI);
    addWeightedCodes(createBatch(genome, chip, pool, new Float64Array(pool.size)), weights, sums);
    for (const j of chip) {
      const code = (i: number) =>
        alleleAt(pool.bits, homologAt(pool, genome, i, false), j) +
        alleleAt(pool.bits, homologAt(pool, genome, i, true), j) -
        1;
      const expected = weights.reduce((sum, weight, i) => sum + weight * code(i), 0);
      expect(sums[j]).toBeCloseTo(expected, 12);
    }
  }
});

test('codes where records vary have the products of all about their mean, in as few columns as neighbours differ', () => {
  const pools = [population(9, true), population(6, false)];
  // The second and third locus of the chip are copies of its first, one of them turned.
  for (const { bits } of pools) {
    for (let at = 0; at < bits.length; at += genome.words) {
      const allele = alleleAt(bits, at, 1);
      bits[at] = (bits[at]! & ~0b1100) | (allele << 2) | ((1 - allele) << 3);
    }
  }
  const batches = pools.map((pool) => createBatch(genome, chip, pool, new Float64Array(pool.size)));
  const individuals = pools.flatMap((pool) => Array.from({ length: pool.size }, (_, i) => ({ pool, i })));
  const n = individuals.length;
  const z = varyingCodes(batches, chip, 1000)!;
  const products = individuals.map((a) => individuals.map((b) => plain(a.pool, a.i, b.pool, b.i) / chip.length));
  const means = products.map((row) => row.reduce((sum, value) => sum + value, 0) / n);
  const mean = means.reduce((sum, value) => sum + value, 0) / n;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      let found = 0;
      for (let c = 0; c < z.columns; c++) found += z.data[c * n + i]! * z.data[c * n + k]!;
      expect(found).toBeCloseTo(products[i]![k]! - means[i]! - means[k]! + mean, 12);
    }
  }
  const varying = chip.filter((j) => {
    const alleles = pools.flatMap((pool) =>
      Array.from({ length: pool.bits.length / genome.words }, (_, row) => alleleAt(pool.bits, row * genome.words, j)),
    );
    return new Set(alleles).size === 2;
  });
  expect(z.columns).toBeLessThanOrEqual(varying.length - 2);
  expect(varyingCodes(batches, chip, z.columns)).not.toBeNull();
  expect(varyingCodes(batches, chip, z.columns - 1)).toBeNull();
});
