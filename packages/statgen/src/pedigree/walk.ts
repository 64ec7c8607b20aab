import { aligned } from '../kernel-memory.ts';
import { walkMemory } from './kernels/walk-kernels.ts';
import type { Pedigree } from './pedigree.ts';

/** Columns of A that a walk computes side by side: a row of them is a cache line. */
export const SIDE_BY_SIDE = 8;

const ROW_BYTES = 8 * SIDE_BY_SIDE;

export interface Walk {
  /** D of the part, by number; to be filled in before the columns that need it. */
  mendelian: Float64Array;
  /**
   * Up to {@link SIDE_BY_SIDE} columns of A for the given numbers, of which all ancestors have their D. Only rows up to
   * `last` are computed. Row i of column k is at SIDE_BY_SIDE·i + k; overwritten by the next call.
   */
  columns(keys: readonly number[], last: number): Float64Array;
}

/**
 * Columns of A of a part of a pedigree that contains all ancestors of its members: A = TDTᵀ, by one walk from the
 * individuals of the columns up to their ancestors and one down to all (Colleau 2002).
 *
 * @param part positions, parents before their progeny
 * @throws StatgenError `bad-option` for a part that takes more than 4 GB
 */
export function createWalk(part: Int32Array, { size, maternal, paternal }: Pedigree): Walk {
  const n = part.length;
  const number = new Int32Array(size + 1).fill(-1);
  for (let k = 0; k < n; k++) number[part[k]] = k;
  const memory = walkMemory((n + 1) * ROW_BYTES + aligned(8 * n) + 2 * aligned(4 * n));
  // Unknown parents are one more row, n, that is 0 on the way down.
  const y = memory.takeDoubles((n + 1) * SIDE_BY_SIDE);
  const mendelian = memory.takeDoubles(n);
  const [female, male] = [maternal, paternal].map((parents) => {
    const rows = memory.takeIntegers(n);
    for (let k = 0; k < n; k++) {
      const parent = parents[part[k]];
      rows[k] = y.byteOffset + (parent < 0 ? n : number[parent]) * ROW_BYTES;
    }
    return rows.byteOffset;
  });
  return {
    mendelian,
    columns(keys, last) {
      const top = keys.reduce((most, key) => Math.max(most, key), 0);
      const reach = Math.max(top, last);
      y.fill(0, 0, (reach + 1) * SIDE_BY_SIDE);
      for (const [column, key] of keys.entries()) y[key * SIDE_BY_SIDE + column] = 1;
      const lowest = memory.kernels.walkUp(y.byteOffset, female, male, mendelian.byteOffset, top);
      y.fill(0, n * SIDE_BY_SIDE);
      memory.kernels.walkDown(y.byteOffset, female, male, lowest, reach);
      return y;
    },
  };
}
