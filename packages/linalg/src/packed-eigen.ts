/** Columns of reflectors that are unpacked and applied at a time. */
const PANEL = 256;

/** What {@link eigenByPackedReflectors} takes of LAPACK: each asks for its scratch itself and returns `info`. */
export interface EigenRoutines {
  sytrd(
    n: number,
    a: Float64Array,
    lda: number,
    diagonal: Float64Array,
    offDiagonal: Float64Array,
    tau: Float64Array,
  ): number;
  /** Eigenpairs of a tridiagonal matrix: `diagonal` becomes the values, ascending; `offDiagonal` is destroyed. */
  stedc(n: number, diagonal: Float64Array, offDiagonal: Float64Array, vectors: Float64Array, ldz: number): number;
  /** C (m × columns) = Q·C with Q of k reflectors, the columns of A (m × k) below its diagonal. */
  ormqr(
    m: number,
    columns: number,
    k: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    c: Float64Array,
    ldc: number,
  ): number;
}

/**
 * All eigenpairs of a symmetric matrix (lower triangle of n × n numbers, which the vectors overwrite), by the steps of
 * `dsyevd`. That routine keeps reflectors, vectors and scratch as three n × n matrices; here the reflectors are packed
 * into half a matrix while the tridiagonal form is decomposed, so that 2.5 n² numbers are alive.
 *
 * @returns LAPACK's `info`
 */
export function eigenByPackedReflectors(
  { sytrd, stedc, ormqr }: EigenRoutines,
  n: number,
  a: Float64Array,
  values: Float64Array,
): number {
  const offDiagonal = new Float64Array(n);
  const tau = new Float64Array(n);
  const reduced = sytrd(n, a, n, values, offDiagonal, tau);
  if (reduced !== 0) return reduced;
  const reflectors = packReflectors(n, a);
  const decomposed = stedc(n, values, offDiagonal, a, n);
  if (decomposed !== 0) return decomposed;
  const panel = new Float64Array((n - 1) * Math.min(PANEL, n - 1));
  for (let first = PANEL * Math.floor((n - 2) / PANEL); first >= 0; first -= PANEL) {
    const rows = n - 1 - first;
    const columns = Math.min(PANEL, rows);
    for (let k = 0; k < columns; k++) {
      panel.set(reflectors.subarray(packedStart(n, first + k), packedStart(n, first + k + 1)), k * rows + k + 1);
    }
    const info = ormqr(rows, n, columns, panel, rows, tau.subarray(first), a.subarray(first + 1), n);
    if (info !== 0) return info;
  }
  return 0;
}

/** Where column j begins among the packed ones: it has n − 2 − j numbers, below the 1 that is not stored. */
const packedStart = (n: number, j: number): number => j * (n - 2) - (j * (j - 1)) / 2;

function packReflectors(n: number, a: Float64Array): Float64Array {
  const packed = new Float64Array(packedStart(n, n - 2));
  for (let j = 0; j < n - 2; j++) packed.set(a.subarray(j * n + j + 2, (j + 1) * n), packedStart(n, j));
  return packed;
}
