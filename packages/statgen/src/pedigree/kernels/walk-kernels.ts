import { KernelMemory } from '../../kernel-memory.ts';

/** Interface of pedigree-walk.wat, which documents it; `top`, `first` and `last` are rows, the others addresses. */
export interface WalkKernels {
  walkUp(y: number, female: number, male: number, d: number, top: number): number;
  walkDown(y: number, female: number, male: number, first: number, last: number): void;
}

/**
 * Allocates this many bytes of memory with the kernels that work in it. @throws StatgenError `bad-option` above 4 GB
 */
export function walkMemory(bytes: number): KernelMemory<WalkKernels> {
  return new KernelMemory(new URL('./pedigree-walk.wasm', import.meta.url), 'walk', bytes);
}
