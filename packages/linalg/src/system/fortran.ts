import type koffiModule from 'koffi';

export type NativeLibrary = ReturnType<(typeof koffiModule)['load']>;
export type NativeFunction = (...args: unknown[]) => unknown;

/** The routines of BLAS and LAPACK in use: how many pointers each takes, and how many of them are to a CHARACTER. */
const ROUTINES = {
  dgemm: [13, 2],
  dgemv: [11, 1],
  dsyrk: [10, 2],
  ssyrk: [10, 2],
  sgemm: [13, 2],
  dtrsm: [11, 4],
  dpotrf: [5, 1],
  spotrf: [5, 1],
  spotrs: [8, 1],
  strtri: [6, 2],
  dpotrs: [8, 1],
  dpotri: [5, 1],
  dsyevd: [11, 2],
  dsyevr: [21, 3],
  dsytrd: [10, 1],
  dormtr: [13, 3],
  dormqr: [13, 2],
  dstedc: [11, 1],
} as const;

export type FortranRoutines = Readonly<Record<keyof typeof ROUTINES, NativeFunction>>;

/**
 * Binds the Fortran symbols. Every argument is a pointer; the lengths of CHARACTER arguments follow at the end of the
 * list (gfortran's convention; OpenBLAS's own C routines ignore them, but its LAPACK is compiled Fortran and may not).
 * Typed arrays are passed by reference, so a subarray is a valid argument.
 */
export function bindRoutines(library: NativeLibrary): FortranRoutines {
  const bound = Object.entries(ROUTINES).map(([name, [pointers, characters]]) => [
    name,
    library.func(`${name}_`, 'void', [
      ...Array<string>(pointers).fill('void *'),
      ...Array<string>(characters).fill('size_t'),
    ]),
  ]);
  return Object.fromEntries(bound) as FortranRoutines;
}

/** One character for a Fortran CHARACTER argument. */
const letter = (text: string): Uint8Array => Uint8Array.of(text.charCodeAt(0), 0);
export const N: Uint8Array = letter('N');
export const T: Uint8Array = letter('T');
export const V: Uint8Array = letter('V');
export const I: Uint8Array = letter('I');
export const LOWER: Uint8Array = letter('L');
export const LEFT: Uint8Array = letter('L');

/** Whether a routine takes a matrix as it is or transposed. */
export const op = (isTransposed: boolean): Uint8Array => (isTransposed ? T : N);

// Scalars are passed in arrays allocated once: a call of a small routine must not allocate.
export const integers = (count: number): Int32Array[] => Array.from({ length: count }, () => new Int32Array(1));
export const reals = (count: number): Float64Array[] => Array.from({ length: count }, () => new Float64Array(1));

/** Puts a value into the array in which it is passed, and returns the array. */
export function set<Scalar extends Int32Array | Float64Array>(scalar: Scalar, value: number): Scalar {
  scalar[0] = value;
  return scalar;
}

/** A leading dimension: LAPACK wants at least 1, also for an empty matrix. */
export const stride = (scalar: Int32Array, value: number): Int32Array => set(scalar, Math.max(1, value));
