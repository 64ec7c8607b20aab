import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import type { RecordBatch } from './record-batch.ts';

/** With more loci a column than this, neighbours are hardly alike so often that it is worth a look. */
const LOCI_A_COLUMN = 4;
const BITS = 32;

/**
 * Codes −1, 0, 1 of the records at the loci of the chip where they vary, with ZZᵀ = PMMᵀP/m over all loci and P = I −
 * 11ᵀ/n: columns have mean zero, and neighbours with the same haplotypes, or the opposite ones, are one column of their
 * common weight.
 *
 * @returns null where that takes more than `most` columns
 */
export function varyingCodes(batches: readonly RecordBatch[], chip: Int32Array, most: number): Matrix | null {
  const loci = varyingLoci(batches, chip);
  if (loci.length > LOCI_A_COLUMN * most) return null;
  const columns = haplotypeColumns(batches, loci);
  const firsts: number[] = [];
  const sizes: number[] = [];
  for (let k = 0; k < loci.length; k++) {
    if (k > 0 && areAlike(columns[k - 1], columns[k])) sizes[sizes.length - 1]++;
    else if (firsts.length === most) return null;
    else {
      firsts.push(k);
      sizes.push(1);
    }
  }
  const n = batches.reduce((sum, { y }) => sum + y.length, 0);
  const z = createMatrix(n, firsts.length);
  for (const [column, k] of firsts.entries()) {
    const codes = z.data.subarray(column * n, (column + 1) * n);
    let [i, row, sum] = [0, 0, 0];
    for (const { y, homologs } of batches) {
      for (const end = i + y.length; i < end; i++) {
        for (let h = 0; h < homologs; h++, row++) codes[i] += (2 * bitAt(columns[k], row) - 1) / homologs;
        sum += codes[i];
      }
    }
    const scale = Math.sqrt(sizes[column] / chip.length);
    for (i = 0; i < n; i++) codes[i] = scale * (codes[i] - sum / n);
  }
  return z;
}

function varyingLoci(batches: readonly RecordBatch[], chip: Int32Array): Int32Array {
  const { words } = batches[0];
  const any = new Uint32Array(words);
  const all = new Uint32Array(words).fill(-1);
  for (const { bits } of batches) {
    for (let at = 0; at < bits.length; at += words) {
      for (let word = 0; word < words; word++) {
        any[word] |= bits[at + word];
        all[word] &= bits[at + word];
      }
    }
  }
  const varies = any.map((bits, word) => bits & ~all[word]);
  return chip.filter((locus) => bitAt(varies, locus) === 1);
}

const bitAt = (bits: Uint32Array, place: number): number => (bits[place >>> 5] >>> (place & (BITS - 1))) & 1;

/** The alleles of all haplotypes at each locus, turned so that the first has 0; the bits behind the last are 0 too. */
function haplotypeColumns(batches: readonly RecordBatch[], loci: Int32Array): Uint32Array[] {
  const rows = batches.reduce((sum, { y, homologs }) => sum + y.length * homologs, 0);
  const columns: Uint32Array[] = [];
  const word = new Uint32Array(rows);
  let read = -1;
  for (const locus of loci) {
    if (read !== locus >>> 5) {
      read = locus >>> 5;
      let row = 0;
      for (const { bits, words, y, homologs } of batches) {
        for (let at = read; at < y.length * homologs * words; at += words) word[row++] = bits[at];
      }
    }
    const column = new Uint32Array(Math.ceil(rows / BITS));
    const bit = locus & (BITS - 1);
    for (let row = 0; row < rows; row++) column[row >>> 5] |= ((word[row] >>> bit) & 1) << (row & (BITS - 1));
    columns.push(column);
  }
  for (const column of columns) {
    if ((column[0] & 1) === 0) continue;
    for (let at = 0; at < column.length; at++) column[at] = ~column[at];
    if (rows % BITS !== 0) column[column.length - 1] &= (1 << (rows % BITS)) - 1;
  }
  return columns;
}

const areAlike = (one: Uint32Array, other: Uint32Array): boolean => one.every((word, at) => word === other[at]);
