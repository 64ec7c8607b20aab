import { KernelMemory } from '../../kernel-memory.ts';

/** Interface of allele-planes.wat, which documents it; places are byte addresses in its memory. */
export interface PlaneKernels {
  comparePairs(one: number, other: number, count: number, stride: number, out: number): void;
  compareTrio(child: number, female: number, male: number, bytes: number, stride: number, out: number): void;
}

/**
 * Allocates this many bytes of memory with the kernels that work in it. @throws StatgenError `bad-option` above 4 GB
 */
export function planeMemory(bytes: number): KernelMemory<PlaneKernels> {
  return new KernelMemory(new URL('./allele-planes.wasm', import.meta.url), 'planes', bytes);
}
