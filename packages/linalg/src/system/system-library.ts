import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type koffiModule from 'koffi';
import type { Backend } from '../backend.ts';
import { LinalgError } from '../linalg-error.ts';
import type { NativeFunction, NativeLibrary } from './fortran.ts';
import { systemBackend } from './system-backend.ts';

type Koffi = typeof koffiModule;

/** The loaded library, with the functions that only OpenBLAS offers. */
export interface SystemLibrary {
  backend: Backend;
  setThreads?: (threads: number) => void;
  getThreads?: () => number;
  coreName?: () => string;
}

export interface SystemSearch {
  found: Backend | undefined;
  /** Attempts and why they failed; empty when the plain backend was requested. */
  tried: string[];
}

/** The shared library to use (an absolute path, or a name for the loader), or `none` for the built-in fallback. */
const LIBRARY_VARIABLE = 'HETEROSIS_BLAS';

let opened: { library: SystemLibrary | undefined; tried: string[] } | undefined;

/** Loads the system's BLAS once per process. */
export function openSystemBackend(): SystemSearch {
  const { library, tried } = openSystemLibrary();
  return { found: library?.backend, tried };
}

/** The loaded library, or undefined with the attempts made. */
export function openSystemLibrary(): { library: SystemLibrary | undefined; tried: string[] } {
  opened ??= searchLibrary();
  return opened;
}

function searchLibrary(): { library: SystemLibrary | undefined; tried: string[] } {
  const asked = process.env[LIBRARY_VARIABLE];
  if (asked === 'none') return { library: undefined, tried: [] };
  const tried: string[] = [];
  const koffi = loadKoffi(tried);
  if (koffi === undefined) return { library: undefined, tried };
  for (const candidate of asked === undefined ? candidates() : [{ path: asked, before: [] }]) {
    try {
      // gfortran's run-time library must be in the global namespace before OpenBLAS is loaded.
      for (const path of candidate.before) koffi.load(path, { global: true });
      return { library: bindLibrary(koffi, koffi.load(candidate.path), candidate.path), tried };
    } catch (error) {
      tried.push(`${candidate.path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (asked !== undefined) {
    throw new LinalgError(
      'library-not-loaded',
      `${LIBRARY_VARIABLE} names a library that cannot be used (${tried.join('; ')}). Name an OpenBLAS library with LAPACK, unset the variable, or set it to "none" for the built-in linear algebra.`,
    );
  }
  return { library: undefined, tried };
}

/** koffi is loaded only when needed: it is a native module, and most commands start without it. */
function loadKoffi(tried: string[]): Koffi | undefined {
  try {
    return createRequire(import.meta.url)('koffi') as Koffi;
  } catch (error) {
    tried.push(`koffi: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

interface Candidate {
  path: string;
  before: string[];
}

function candidates(): Candidate[] {
  const list: Candidate[] = [];
  if (process.platform === 'darwin') {
    // Apple's framework is in the dyld shared cache, not on disk: only loading it shows whether it exists.
    list.push({ path: '/System/Library/Frameworks/Accelerate.framework/Accelerate', before: [] });
    return list;
  }
  const triple = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const unpacked = unpackedDebianFolder();
  if (unpacked !== undefined) {
    const folder = join(unpacked, 'usr', 'lib', triple);
    list.push({
      path: join(folder, 'openblas-pthread', 'libopenblas.so.0'),
      before: [join(folder, 'libquadmath.so.0'), join(folder, 'libgfortran.so.5')].filter((path) => existsSync(path)),
    });
  }
  for (const path of ['libopenblas.so.0', 'libopenblas.so']) list.push({ path, before: [] });
  return list;
}

/** The set-up script unpacks Debian's packages here when run without root. */
function unpackedDebianFolder(): string | undefined {
  let folder = import.meta.dirname;
  for (;;) {
    const candidate = join(folder, 'node_modules', '.cache', 'debian', 'openblas');
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function bindLibrary(koffi: Koffi, library: NativeLibrary, path: string): SystemLibrary {
  const optional = (name: string, result: string, parameters: string[]): NativeFunction | undefined => {
    try {
      return library.func(name, result, parameters) as NativeFunction;
    } catch {
      return undefined; // Accelerate, and OpenBLAS builds without this extension.
    }
  };
  const setThreads = optional('openblas_set_num_threads', 'void', ['int']);
  const getThreads = optional('openblas_get_num_threads', 'int', []);
  const coreName = optional('openblas_get_corename', 'str', []);
  const backend = systemBackend(library, path, setThreads === undefined ? 'accelerate' : 'openblas');
  return {
    backend,
    ...(setThreads && { setThreads: (threads: number) => void setThreads(threads) }),
    ...(getThreads && { getThreads: () => getThreads() as number }),
    ...(coreName && { coreName: () => coreName() as string }),
  };
}
