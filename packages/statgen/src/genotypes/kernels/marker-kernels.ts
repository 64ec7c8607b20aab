import { KernelMemory } from '../../kernel-memory.ts';

/** The functions of marker-blocks.wat, which says what they do; places are byte addresses in their memory. */
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

/** So many bytes of memory and the kernels that work in it. @throws StatgenError `bad-option` above 4 GB */
export function markerMemory(bytes: number): KernelMemory<MarkerKernels> {
  return new KernelMemory(new URL('./marker-blocks.wasm', import.meta.url), 'markers', bytes);
}
