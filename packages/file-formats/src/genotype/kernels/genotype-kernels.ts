import { readFileSync } from 'node:fs';

/**
 * The functions of genotype-kernels.wat, which says what they do; places are byte addresses in the memory they were
 * bound to.
 */
export interface GenotypeKernels {
  parseCalls(text: number, calls: number, out: number, tallies: number): 0 | 1;
  countRow(row: number, vectors: number, missing: number, het: number, tallies: number): void;
  widenLanes(lanes: number, vectors: number, wider: number, width: 2 | 4): void;
}

/** What is used of the interface, which Node's type declarations leave out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PAGE_BYTES = 65_536;

let compiled: object | undefined;

/** The kernels and the memory they work in, dealt out once and never given back. */
export class KernelMemory {
  readonly kernels: GenotypeKernels;
  readonly buffer: ArrayBuffer;
  #used = 0;

  /** @param bytes that will be taken, each part counted with {@link aligned} */
  constructor(bytes: number) {
    compiled ??= new WebAssembly.Module(readFileSync(new URL('./genotype-kernels.wasm', import.meta.url)));
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    this.buffer = memory.buffer;
    this.kernels = new WebAssembly.Instance(compiled, { genotype: { memory } }).exports as GenotypeKernels;
  }

  /** Zeroed bytes whose address is a multiple of 16. */
  take(bytes: number): Uint8Array {
    const taken = new Uint8Array(this.buffer, this.#used, bytes);
    this.#used += aligned(bytes);
    return taken;
  }
}

/** The next multiple of 16, which is the size of a vector. */
export function aligned(bytes: number): number {
  return (bytes + 15) & ~15;
}
