import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import type koffiModule from 'koffi';

/** Inflates and deflates small pieces into existing memory. */
export interface DeflateLibrary {
  /**
   * Fills `into` from one gzip member; checks its checksum and that it inflates to exactly that length.
   *
   * @returns whether the member was valid
   */
  inflateMember(member: Uint8Array, into: Uint8Array): boolean;
  /**
   * Deflates bytes (raw, without header and checksum) on a thread of the system's pool. Neither array may change
   * meanwhile.
   *
   * @returns bytes filled; 0 when `into` is too small
   */
  deflate(bytes: Uint8Array, into: Uint8Array): Promise<number>;
}

/** Names under which the loader finds libdeflate: Debian's libdeflate0 and Homebrew's. */
const LIBRARY_NAMES = ['libdeflate.so.0', 'libdeflate.0.dylib', '/opt/homebrew/lib/libdeflate.0.dylib'];

/** libdeflate level (1–12): the next one takes twice as long on genotype text and saves a twentieth. */
const LEVEL = 5;

let opened: { library: DeflateLibrary | undefined } | undefined;

/**
 * The system's libdeflate (Eric Biggers), or undefined when it is not installed and Node's zlib is used instead. It
 * inflates the 64 kB members of bgzip in half the time, into our own buffer (zlib allocates one per call), and deflates
 * them in a quarter of the time. Loaded once per process.
 */
export function deflateLibrary(): DeflateLibrary | undefined {
  opened ??= { library: loadLibrary() };
  return opened.library;
}

function loadLibrary(): DeflateLibrary | undefined {
  let koffi: typeof koffiModule;
  try {
    koffi = createRequire(import.meta.url)('koffi') as typeof koffiModule;
  } catch {
    return undefined; // No native module for this system: zlib does the same, slower.
  }
  for (const name of [...unpackedPaths(), ...LIBRARY_NAMES]) {
    try {
      return bind(koffi.load(name));
    } catch {
      // Not found under this name: try the next.
    }
  }
  return undefined;
}

/** The set-up script unpacks Debian's package here when it does not run as root. */
function unpackedPaths(): string[] {
  const triple = arch() === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', '.cache', 'libdeflate', 'usr', 'lib', triple, 'libdeflate.so.0');
    if (existsSync(path)) return [path];
    if (folder === dirname(folder)) return [];
  }
}

function bind(library: ReturnType<typeof koffiModule.load>): DeflateLibrary {
  const newDecompressor = library.func('void *libdeflate_alloc_decompressor()') as () => unknown;
  const decompress = library.func(
    'int libdeflate_gzip_decompress(void *decompressor, const void *in, size_t inLength, void *out, size_t outLength, void *outUsed)',
  ) as (...args: unknown[]) => number;
  // One decompressor per process: calls are synchronous and never overlap.
  const decompressor = newDecompressor();
  if (decompressor === null) throw new Error('libdeflate has no memory for a decompressor');
  const nothing = new Uint8Array(1);
  const newCompressor = library.func('void *libdeflate_alloc_compressor(int level)') as (level: number) => unknown;
  const compress = library.func(
    'size_t libdeflate_deflate_compress(void *compressor, const void *in, size_t inLength, void *out, size_t outLength)',
  );
  // Each compresses one piece at a time; there are as many as were ever busy at once.
  const idleCompressors: unknown[] = [];
  return {
    // Without a pointer for the actual length, libdeflate treats any length but `outLength` as an error.
    inflateMember: (member, into) =>
      decompress(decompressor, member, member.length, into.length === 0 ? nothing : into, into.length, null) === 0,
    deflate: (bytes, into) =>
      new Promise((resolve, reject) => {
        const compressor = idleCompressors.pop() ?? newCompressor(LEVEL);
        if (compressor === null) throw new Error('libdeflate has no memory for a compressor');
        compress.async(
          compressor,
          bytes,
          bytes.length,
          into,
          into.length,
          (error: Error | null, length: number | bigint) => {
            idleCompressors.push(compressor);
            if (error === null) resolve(Number(length));
            else reject(error);
          },
        );
      }),
  };
}
