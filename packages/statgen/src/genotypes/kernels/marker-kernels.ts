import { KernelMemory } from '../../kernel-memory.ts';

/** Interface of marker-blocks.wat, which documents it; places are byte addresses in its memory. */
export interface MarkerKernels {
  countCalls(
    packed: number,
    stride: number,
    markers: number,
    mask: number,
    heterozygous: number,
    homozygousA2: number,
    missing: number,
  ): void;
  decodeMarkers(
    packed: number,
    stride: number,
    values: number,
    markers: number,
    count: number,
    n: number,
    out: number,
  ): void;
  squareRows(values: number, rows: number, lead: number, columns: number): void;
}

/**
 * Allocates this many bytes of memory with the kernels that work in it. @throws StatgenError `bad-option` above 4 GB
 */
export function markerMemory(bytes: number): KernelMemory<MarkerKernels> {
  return new KernelMemory(new URL('./marker-blocks.wasm', import.meta.url), 'markers', bytes);
}
