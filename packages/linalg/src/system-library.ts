import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type koffiModule from 'koffi';
import type { Backend } from './backend.ts';
import { LinalgError } from './linalg-error.ts';
import { type EigenRoutines, eigenByPackedReflectors } from './packed-eigen.ts';

type Koffi = typeof koffiModule;
type NativeLibrary = ReturnType<Koffi['load']>;
type NativeFunction = (...args: unknown[]) => unknown;

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
  const backend = bindBackend(library, path, setThreads === undefined ? 'accelerate' : 'openblas');
  return {
    backend,
    ...(setThreads && { setThreads: (threads: number) => void setThreads(threads) }),
    ...(getThreads && { getThreads: () => getThreads() as number }),
    ...(coreName && { coreName: () => coreName() as string }),
  };
}

/** One character for a Fortran CHARACTER argument. */
const letter = (text: string): Uint8Array => Uint8Array.of(text.charCodeAt(0), 0);
const N = letter('N');
const T = letter('T');
const V = letter('V');
const LOWER = letter('L');
const LEFT = letter('L');
const I = letter('I');

/** From this order on, n × n numbers of scratch are worth saving. */
const PACKED_FROM = 1000;
/** `dsyevd` scales matrices whose numbers, squared, would overflow or underflow. */
const MODERATE = 1e100;

function isModerate(a: Float64Array): boolean {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]));
  return largest < MODERATE && (largest === 0 || largest > 1 / MODERATE);
}

/** Doubles of scratch that are kept for the next call, 8 MB. */
const KEPT_WORK = 2 ** 20;

/**
 * Binds the Fortran symbols. Every argument is a pointer; the lengths of CHARACTER arguments follow at the end of the
 * list (gfortran's convention; OpenBLAS's own C routines ignore them, but its LAPACK is compiled Fortran and may not).
 * Typed arrays are passed by reference, so a subarray is a valid argument.
 */
function bindBackend(library: NativeLibrary, path: string, name: 'openblas' | 'accelerate'): Backend {
  const fortran = (symbol: string, pointers: number, characters: number): NativeFunction =>
    library.func(symbol, 'void', [
      ...Array<string>(pointers).fill('void *'),
      ...Array<string>(characters).fill('size_t'),
    ]) as NativeFunction;
  const dgemm = fortran('dgemm_', 13, 2);
  const dgemv = fortran('dgemv_', 11, 1);
  const dsyrk = fortran('dsyrk_', 10, 2);
  const ssyrk = fortran('ssyrk_', 10, 2);
  const sgemm = fortran('sgemm_', 13, 2);
  const dtrsm = fortran('dtrsm_', 11, 4);
  const dpotrf = fortran('dpotrf_', 5, 1);
  const dpotrs = fortran('dpotrs_', 8, 1);
  const dpotri = fortran('dpotri_', 5, 1);
  const dsyevd = fortran('dsyevd_', 11, 2);
  const dsyevr = fortran('dsyevr_', 21, 3);
  const dsytrd = fortran('dsytrd_', 10, 1);
  const dormtr = fortran('dormtr_', 13, 3);
  const dormqr = fortran('dormqr_', 13, 2);
  const dstedc = fortran('dstedc_', 11, 1);

  // Scalars are passed in arrays allocated once: a call of a small routine must not allocate.
  const ints = Array.from({ length: 10 }, () => new Int32Array(1));
  const [i0, i1, i2, i3, i4, i5, i6, i7, i8, info] = ints as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const real0 = new Float64Array(1);
  const real1 = new Float64Array(1);
  const one = Int32Array.of(1);
  const unit = Float64Array.of(1);
  const singleUnit = Float32Array.of(1);
  let work = new Float64Array(1);
  let integerWork = new Int32Array(1);
  const growWork = (length: number): Float64Array => {
    if (work.length < length) work = new Float64Array(length);
    return work;
  };
  /** Gives large scratch back at once: garbage collection may leave it for the next large matrix to stand beside. */
  const releaseWork = (): void => {
    if (work.length <= KEPT_WORK) return;
    const { buffer } = work;
    work = new Float64Array(1);
    // Absent before Node 21.
    if ('transfer' in buffer) buffer.transfer(0);
  };
  const growIntegerWork = (length: number): Int32Array => {
    if (integerWork.length < length) integerWork = new Int32Array(length);
    return integerWork;
  };

  const eigenRoutines: EigenRoutines = {
    sytrd,
    stedc(n, diagonal, offDiagonal, vectors, ldz) {
      i0[0] = n;
      i1[0] = Math.max(1, ldz);
      i2[0] = -1;
      i3[0] = -1;
      dstedc(I, i0, diagonal, offDiagonal, vectors, i1, real0, i2, i4, i3, info, 1);
      if (info[0] !== 0) return info[0];
      i2[0] = real0[0];
      i3[0] = i4[0];
      dstedc(I, i0, diagonal, offDiagonal, vectors, i1, growWork(i2[0]), i2, growIntegerWork(i3[0]), i3, info, 1);
      releaseWork();
      return info[0];
    },
    ormqr(m, columns, k, a, lda, tau, c, ldc) {
      i0[0] = m;
      i1[0] = columns;
      i2[0] = k;
      i3[0] = Math.max(1, lda);
      i4[0] = Math.max(1, ldc);
      i5[0] = -1;
      dormqr(LEFT, N, i0, i1, i2, a, i3, tau, c, i4, real0, i5, info, 1, 1);
      if (info[0] !== 0) return info[0];
      i5[0] = real0[0];
      dormqr(LEFT, N, i0, i1, i2, a, i3, tau, c, i4, growWork(i5[0]), i5, info, 1, 1);
      return info[0];
    },
  };

  function sytrd(
    n: number,
    a: Float64Array,
    lda: number,
    diagonal: Float64Array,
    offDiagonal: Float64Array,
    tau: Float64Array,
  ): number {
    i0[0] = n;
    i1[0] = Math.max(1, lda);
    i2[0] = -1;
    dsytrd(LOWER, i0, a, i1, diagonal, offDiagonal, tau, real0, i2, info, 1);
    if (info[0] !== 0) return info[0];
    i2[0] = real0[0];
    dsytrd(LOWER, i0, a, i1, diagonal, offDiagonal, tau, growWork(i2[0]), i2, info, 1);
    return info[0];
  }

  return {
    name,
    path,
    gemm(transposeA, transposeB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
      i0[0] = m;
      i1[0] = n;
      i2[0] = k;
      i3[0] = Math.max(1, lda);
      i4[0] = Math.max(1, ldb);
      i5[0] = Math.max(1, ldc);
      real0[0] = alpha;
      real1[0] = beta;
      dgemm(transposeA ? T : N, transposeB ? T : N, i0, i1, i2, real0, a, i3, b, i4, real1, c, i5, 1, 1);
    },
    gemv(transposeA, m, n, alpha, a, lda, x, beta, y) {
      i0[0] = m;
      i1[0] = n;
      i2[0] = Math.max(1, lda);
      real0[0] = alpha;
      real1[0] = beta;
      dgemv(transposeA ? T : N, i0, i1, real0, a, i2, x, one, real1, y, one, 1);
    },
    syrk(transposeA, n, k, alpha, a, lda, beta, c, ldc) {
      i0[0] = n;
      i1[0] = k;
      i2[0] = Math.max(1, lda);
      i3[0] = Math.max(1, ldc);
      real0[0] = alpha;
      real1[0] = beta;
      dsyrk(LOWER, transposeA ? T : N, i0, i1, real0, a, i2, real1, c, i3, 1, 1);
    },
    syrkSingle(transposeA, n, k, a, lda, c, ldc) {
      i0[0] = n;
      i1[0] = k;
      i2[0] = Math.max(1, lda);
      i3[0] = Math.max(1, ldc);
      ssyrk(LOWER, transposeA ? T : N, i0, i1, singleUnit, a, i2, singleUnit, c, i3, 1, 1);
    },
    gemmSingle(m, n, k, a, lda, b, ldb, c, ldc) {
      i0[0] = m;
      i1[0] = n;
      i2[0] = k;
      i3[0] = Math.max(1, lda);
      i4[0] = Math.max(1, ldb);
      i5[0] = Math.max(1, ldc);
      sgemm(T, N, i0, i1, i2, singleUnit, a, i3, b, i4, singleUnit, c, i5, 1, 1);
    },
    trsm(transposeL, m, n, l, ldl, b, ldb) {
      i0[0] = m;
      i1[0] = n;
      i2[0] = Math.max(1, ldl);
      i3[0] = Math.max(1, ldb);
      dtrsm(LEFT, LOWER, transposeL ? T : N, N, i0, i1, unit, l, i2, b, i3, 1, 1, 1, 1);
    },
    potrf(n, a, lda) {
      i0[0] = n;
      i1[0] = Math.max(1, lda);
      dpotrf(LOWER, i0, a, i1, info, 1);
      return info[0];
    },
    potrs(n, columns, factor, lda, b, ldb) {
      i0[0] = n;
      i1[0] = columns;
      i2[0] = Math.max(1, lda);
      i3[0] = Math.max(1, ldb);
      dpotrs(LOWER, i0, i1, factor, i2, b, i3, info, 1);
      return info[0];
    },
    potri(n, factor, lda) {
      i0[0] = n;
      i1[0] = Math.max(1, lda);
      dpotri(LOWER, i0, factor, i1, info, 1);
      return info[0];
    },
    syevd(vectors, n, a, lda, values) {
      if (vectors && n >= PACKED_FROM && lda === n && isModerate(a)) {
        return eigenByPackedReflectors(eigenRoutines, n, a, values);
      }
      const job = vectors ? V : N;
      i0[0] = n;
      i1[0] = Math.max(1, lda);
      i2[0] = -1;
      i3[0] = -1;
      dsyevd(job, LOWER, i0, a, i1, values, real0, i2, i4, i3, info, 1, 1);
      if (info[0] !== 0) return info[0];
      i2[0] = real0[0];
      i3[0] = i4[0];
      dsyevd(job, LOWER, i0, a, i1, values, growWork(i2[0]), i2, growIntegerWork(i3[0]), i3, info, 1, 1);
      releaseWork();
      return info[0];
    },
    syevr(n, a, lda, first, last, values, vectors) {
      const support = new Int32Array(2 * Math.max(1, last - first + 1));
      i0[0] = n;
      i1[0] = Math.max(1, lda);
      i2[0] = first + 1;
      i3[0] = last + 1;
      i5[0] = Math.max(1, n);
      real1[0] = 0;
      const call = (w: Float64Array, lwork: Int32Array, iw: Int32Array, liwork: Int32Array) =>
        dsyevr(
          V,
          I,
          LOWER,
          i0,
          a,
          i1,
          real1,
          real1,
          i2,
          i3,
          real1,
          i4,
          values,
          vectors,
          i5,
          support,
          w,
          lwork,
          iw,
          liwork,
          info,
          1,
          1,
          1,
        );
      i6[0] = -1;
      i7[0] = -1;
      call(real0, i6, i8, i7);
      if (info[0] !== 0) return info[0];
      i6[0] = real0[0];
      i7[0] = i8[0];
      call(growWork(i6[0]), i6, growIntegerWork(i7[0]), i7);
      return info[0];
    },
    sytrd,
    ormtr(transposeQ, n, columns, reflectors, lda, tau, c, ldc) {
      i0[0] = n;
      i1[0] = columns;
      i2[0] = Math.max(1, lda);
      i3[0] = Math.max(1, ldc);
      i4[0] = -1;
      const trans = transposeQ ? T : N;
      dormtr(LEFT, LOWER, trans, i0, i1, reflectors, i2, tau, c, i3, real0, i4, info, 1, 1, 1);
      if (info[0] !== 0) return info[0];
      i4[0] = real0[0];
      dormtr(LEFT, LOWER, trans, i0, i1, reflectors, i2, tau, c, i3, growWork(i4[0]), i4, info, 1, 1, 1);
      return info[0];
    },
  };
}
