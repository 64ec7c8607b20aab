import { aligned, KernelMemory } from '../../kernel-memory.ts';

/** Interface of packed-products.wat, which documents it; places are byte addresses in its memory. */
export interface PackedKernels {
  multiply(codes: number, slots: number, stride: number, markers: number, values: number, out: number): void;
  subtract(list: number, pairs: number, slots: number, residuals: number): void;
  narrow(from: number, to: number, groups: number, offset: number, round: number, shift: number, sum: number): number;
}

/** Parts of the memory of a chain. */
export interface PackedMemory {
  kernels: PackedKernels;
  codes: Uint8Array;
  /** Residuals, 64 a slot, and the same in 16 bits for the individuals with a value. */
  residuals: Int32Array;
  narrowed: Uint8Array;
  /** Four partial sums of the narrowed residuals. */
  sums: Int32Array;
  /** Products of a block of markers with the narrowed residuals. */
  products: Float64Array;
  /** 16 bytes a pair of markers. */
  list: Int32Array;
}

/** @throws StatgenError `bad-option` above 4 GB */
export function packedMemory(sizes: {
  codeBytes: number;
  rows: number;
  valuedRows: number;
  markers: number;
  pairs: number;
}): PackedMemory {
  const { codeBytes, rows, valuedRows, markers, pairs } = sizes;
  const bytes =
    aligned(codeBytes) +
    aligned(4 * rows) +
    aligned(2 * valuedRows) +
    aligned(16) +
    aligned(8 * markers) +
    aligned(16 * pairs);
  const memory = new KernelMemory<PackedKernels>(new URL('./packed-products.wasm', import.meta.url), 'products', bytes);
  return {
    kernels: memory.kernels,
    codes: memory.takeBytes(codeBytes),
    residuals: memory.takeIntegers(rows),
    narrowed: memory.takeBytes(2 * valuedRows),
    sums: memory.takeIntegers(4),
    products: memory.takeDoubles(markers),
    list: memory.takeIntegers(4 * pairs),
  };
}
