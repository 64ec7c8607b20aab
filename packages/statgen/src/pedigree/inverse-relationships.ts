import type { Inbreeding } from './inbreeding.ts';
import type { Pedigree } from './pedigree.ts';

/** A symmetric matrix by its lower triangle, column after column; rows ascend within a column. */
export interface SparseSymmetric {
  order: number;
  /** Column j is at starts[j] … starts[j + 1] − 1 of `rows` and `values`. */
  starts: Int32Array;
  rows: Int32Array;
  values: Float64Array;
}

/** A⁻¹ of a pedigree, over the individuals that are not determined by others. */
export interface InverseRelationships {
  /** Positions of the individuals to which the rows of the inverse belong, ascending. */
  basis: Int32Array;
  inverse: SparseSymmetric;
  /**
   * Each individual as a combination of one or two rows of the basis: itself, its original for a clone, and the parents
   * of an F1 of two fully inbred lines. Where there is only one, the second is −1 and its weight 0.
   */
  combination: { first: Int32Array; second: Int32Array; firstWeight: Float64Array; secondWeight: Float64Array };
}

/** Mendelian variances below this are rounding. That of an F20 line of two unrelated plants' selfing is 1e−6. */
const NO_MENDELIAN_VARIANCE = 1e-10;

/**
 * Sparse inverse of the additive relationships with inbreeding, by Henderson's (1976) rules: each individual adds
 * (e_i − ½e_p − ½e_q)(…)ᵀ/d_i. An individual without Mendelian variance (d = 0: a clone, the F1 of two fully inbred
 * lines, the selfed progeny of an inbred line) makes A singular. It is left out, and stands in the rows of its progeny
 * as the combination of those that determine it. O(n).
 */
export function inverseRelationships(
  pedigree: Pedigree,
  { mendelian }: Pick<Inbreeding, 'mendelian'>,
): InverseRelationships {
  const { size, maternal, paternal } = pedigree;
  const combination = {
    first: new Int32Array(size).fill(-1),
    second: new Int32Array(size).fill(-1),
    firstWeight: new Float64Array(size),
    secondWeight: new Float64Array(size),
  };
  const basis: number[] = [];
  const entries = createEntries(size);
  for (let i = 0; i < size; i++) {
    const terms = parentTerms(combination, maternal[i], paternal[i]);
    if (mendelian[i] < NO_MENDELIAN_VARIANCE) {
      [combination.first[i], combination.second[i]] = [terms.rows[0] ?? -1, terms.rows[1] ?? -1];
      [combination.firstWeight[i], combination.secondWeight[i]] = [terms.weights[0] ?? 0, terms.weights[1] ?? 0];
      continue;
    }
    const row = basis.length;
    basis.push(i);
    combination.first[i] = row;
    combination.firstWeight[i] = 1;
    terms.rows.push(row);
    terms.weights.push(-1);
    for (const [a, rowA] of terms.rows.entries()) {
      for (const [b, rowB] of terms.rows.entries()) {
        if (rowA >= rowB) entries.add(rowA, rowB, (terms.weights[a] * terms.weights[b]) / mendelian[i]);
      }
    }
  }
  return { basis: Int32Array.from(basis), inverse: entries.compress(basis.length), combination };
}

/** The average of the parents as a combination of rows. */
function parentTerms(
  { first, second, firstWeight, secondWeight }: InverseRelationships['combination'],
  maternal: number,
  paternal: number,
): { rows: number[]; weights: number[] } {
  const rows: number[] = [];
  const weights: number[] = [];
  const add = (row: number, weight: number): void => {
    if (row < 0 || weight === 0) return;
    const at = rows.indexOf(row);
    if (at < 0) {
      rows.push(row);
      weights.push(weight);
    } else weights[at] += weight;
  };
  for (const parent of [maternal, paternal]) {
    if (parent < 0) continue;
    add(first[parent], 0.5 * firstWeight[parent]);
    add(second[parent], 0.5 * secondWeight[parent]);
  }
  return { rows, weights };
}

/** Entries of a lower triangle in any order, added up where they meet. */
function createEntries(expected: number) {
  let capacity = 8 * expected + 16;
  let rows = new Int32Array(capacity);
  let columns = new Int32Array(capacity);
  let values = new Float64Array(capacity);
  let count = 0;
  const grow = (): void => {
    capacity *= 2;
    const [oldRows, oldColumns, oldValues] = [rows, columns, values];
    rows = new Int32Array(capacity);
    columns = new Int32Array(capacity);
    values = new Float64Array(capacity);
    rows.set(oldRows);
    columns.set(oldColumns);
    values.set(oldValues);
  };
  return {
    add(row: number, column: number, value: number): void {
      if (count === capacity) grow();
      rows[count] = row;
      columns[count] = column;
      values[count++] = value;
    },
    compress(order: number): SparseSymmetric {
      // Two stable counting sorts, by row and then by column.
      const byRow = countingOrder(rows, count, order, null);
      const sorted = countingOrder(columns, count, order, byRow);
      const starts = new Int32Array(order + 1);
      const outRows = new Int32Array(count);
      const outValues = new Float64Array(count);
      let filled = 0;
      for (let k = 0; k < count; k++) {
        const at = sorted[k];
        const column = columns[at];
        // Every column has its diagonal, so that starts[column] is already the end of the column before.
        if (filled > starts[column] && outRows[filled - 1] === rows[at]) outValues[filled - 1] += values[at];
        else {
          outRows[filled] = rows[at];
          outValues[filled++] = values[at];
        }
        starts[column + 1] = filled;
      }
      return { order, starts, rows: outRows.slice(0, filled), values: outValues.slice(0, filled) };
    },
  };
}

function countingOrder(keys: Int32Array, count: number, order: number, before: Int32Array | null): Int32Array {
  const next = new Int32Array(order + 1);
  for (let k = 0; k < count; k++) next[keys[k] + 1]++;
  for (let k = 0; k < order; k++) next[k + 1] += next[k];
  const result = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const at = before === null ? k : before[k];
    result[next[keys[at]]++] = at;
  }
  return result;
}
