import { markerMemory } from '../genotypes/kernels/marker-kernels.ts';
import { aligned } from '../kernel-memory.ts';

/** A matrix that can be squared in place. */
export interface SquarableBlock {
  /** rows × capacity entries, column-major. */
  readonly data: Float64Array;
  /** Squares the first `rows` entries in each of the first `columns` columns of `lead` entries. */
  squareRows(rows: number, lead: number, columns: number): void;
}

/** Allocates `length` doubles. @throws StatgenError `bad-option` when that is more than 4 GB */
export function createSquarableBlock(length: number): SquarableBlock {
  const memory = markerMemory(aligned(8 * length));
  const data = memory.takeDoubles(length);
  return {
    data,
    squareRows(rows, lead, columns) {
      if (rows > 0 && columns > 0) memory.kernels.squareRows(data.byteOffset, rows, lead, columns);
    },
  };
}
