import type { PackedGenome } from './packed-genome.ts';

/** Sums of effects for every byte of a haplotype: a value is a few lookups in place of a sum over loci. */
export interface ValueTable {
  /** Bytes that hold a locus with an effect. */
  bytes: Int32Array;
  /** 256 sums for each of them. */
  sums: Float64Array;
}

/** @param effects one a locus, in genome order */
export function createValueTable({ words }: PackedGenome, effects: Float64Array): ValueTable {
  const bytes: number[] = [];
  for (let byte = 0; byte < words * 4; byte++) {
    let any = false;
    for (let j = byte * 8; j < Math.min(effects.length, byte * 8 + 8); j++) any ||= effects[j] !== 0;
    if (any) bytes.push(byte);
  }
  const sums = new Float64Array(bytes.length * 256);
  for (const [k, byte] of bytes.entries()) {
    const at = k * 256;
    for (let bit = 0; bit < 8; bit++) {
      const effect = effects[byte * 8 + bit] ?? 0;
      const half = 1 << bit;
      for (let low = 0; low < half; low++) sums[at + half + low] = sums[at + low] + effect;
    }
  }
  return { bytes: Int32Array.from(bytes), sums };
}

/** Bytes whose sums stay in the first cache while all haplotypes pass. */
const TILE = 8;

/** Sums of the effects of the alleles 1 of haplotypes, given as rows of bytes. */
export function haplotypeValues(
  { bytes, sums }: ValueTable,
  haplotypes: Uint8Array,
  { rows, stride }: { rows: number; stride: number },
): Float64Array {
  const values = new Float64Array(rows);
  for (let first = 0; first < bytes.length; first += TILE) {
    const end = Math.min(bytes.length, first + TILE);
    for (let row = 0; row < rows; row++) {
      const at = row * stride;
      let sum = values[row];
      for (let k = first; k < end; k++) sum += sums[k * 256 + haplotypes[at + bytes[k]]];
      values[row] = sum;
    }
  }
  return values;
}

/** Sum of the effects at loci where two haplotypes differ. */
export function differenceValue({ bytes, sums }: ValueTable, haplotypes: Uint8Array, a: number, b: number): number {
  let sum = 0;
  for (let k = 0; k < bytes.length; k++) sum += sums[k * 256 + (haplotypes[a + bytes[k]] ^ haplotypes[b + bytes[k]])];
  return sum;
}
