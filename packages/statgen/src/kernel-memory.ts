import { readFileSync } from 'node:fs';
import { StatgenError } from './statgen-error.ts';

/** The part of the interface that is used here; Node's type declarations omit it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PAGE_BYTES = 65_536;
/** Maximum memory of a WebAssembly module: 4 GB. */
const MOST_PAGES = 65_536;
/** Every part starts at a multiple of a cache line. */
const ALIGNMENT = 64;

const compiled = new Map<string, object>();

/** Functions of a `.wasm` file and their memory, which is zeroed at first, allocated in parts and never freed. */
export class KernelMemory<Kernels> {
  readonly kernels: Kernels;
  readonly buffer: ArrayBuffer;
  #used = 0;

  /**
   * @param file the `.wasm`, which imports its memory as `name`.memory
   * @param bytes that will be taken, each part counted with {@link aligned}
   * @throws StatgenError `bad-option` when that is more than 4 GB
   */
  constructor(file: URL, name: string, bytes: number) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    if (pages > MOST_PAGES) {
      const needed = (bytes / 2 ** 30).toFixed(1);
      throw new StatgenError('bad-option', `so many individuals take ${needed} GB in one piece, and 4 are possible`, {
        bytes,
      });
    }
    let module = compiled.get(file.href);
    if (module === undefined) {
      module = new WebAssembly.Module(readFileSync(file));
      compiled.set(file.href, module);
    }
    const memory = new WebAssembly.Memory({ initial: pages });
    this.buffer = memory.buffer;
    this.kernels = new WebAssembly.Instance(module, { [name]: { memory } }).exports as Kernels;
  }

  takeBytes(length: number): Uint8Array {
    return new Uint8Array(this.buffer, this.#take(length), length);
  }

  takeIntegers(length: number): Int32Array {
    return new Int32Array(this.buffer, this.#take(4 * length), length);
  }

  takeDoubles(length: number): Float64Array {
    return new Float64Array(this.buffer, this.#take(8 * length), length);
  }

  #take(bytes: number): number {
    const at = this.#used;
    this.#used += aligned(bytes);
    return at;
  }
}

/** Memory in bytes that a part of this size takes. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
