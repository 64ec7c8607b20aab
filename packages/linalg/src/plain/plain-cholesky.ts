import type { Backend } from '../backend.ts';

/** Cholesky factor in the lower triangle, in place, left-looking by columns; returns LAPACK's `info` of `dpotrf`. */
export const plainPotrf: Backend['potrf'] = (n, a, lda) => factorInPlace(n, a, lda);

/** The same in single precision. */
export const plainPotrfSingle: Backend['potrfSingle'] = (n, a, lda) => factorInPlace(n, a, lda);

/** Inverse of a lower triangular matrix in place, column by column; returns LAPACK's `info` of `strtri`. */
export const plainTrtriSingle: Backend['trtriSingle'] = (n, a, lda) => {
  for (let j = 0; j < n; j++) if (a[j + j * lda] === 0) return j + 1;
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    column.fill(0);
    column[j] = 1;
    // Columns from j on still hold the factor: those before are done and not needed.
    for (let k = j; k < n; k++) {
      const solved = column[k] / a[k + k * lda];
      column[k] = solved;
      for (let i = k + 1; i < n; i++) column[i] -= solved * a[i + k * lda];
    }
    for (let i = j; i < n; i++) a[i + j * lda] = column[i];
  }
  return 0;
};

function factorInPlace(n: number, a: Float64Array | Float32Array, lda: number): number {
  for (let j = 0; j < n; j++) {
    const column = j * lda;
    for (let k = 0; k < j; k++) {
      const factor = a[j + k * lda];
      const other = k * lda;
      for (let i = j; i < n; i++) a[column + i] -= factor * a[other + i];
    }
    const pivot = a[column + j];
    if (!(pivot > 0)) return j + 1;
    const root = Math.sqrt(pivot);
    for (let i = j; i < n; i++) a[column + i] /= root;
  }
  return 0;
}

/** B (m × n) = op(L)⁻¹·B, L lower triangular; arguments as in BLAS `dtrsm` from the left, non-unit diagonal. */
export const plainTrsm: Backend['trsm'] = (transposeL, m, n, l, ldl, b, ldb) =>
  solveLower(transposeL, { m, n }, { l, ldl, b, ldb });

function solveLower<Numbers extends Float64Array | Float32Array>(
  transposeL: boolean,
  { m, n }: { m: number; n: number },
  { l, ldl, b, ldb }: { l: Numbers; ldl: number; b: Numbers; ldb: number },
): void {
  for (let j = 0; j < n; j++) {
    const column = j * ldb;
    if (transposeL) {
      for (let k = m - 1; k >= 0; k--) {
        const start = k * ldl;
        let sum = b[column + k];
        for (let i = k + 1; i < m; i++) sum -= l[start + i] * b[column + i];
        b[column + k] = sum / l[start + k];
      }
      continue;
    }
    for (let k = 0; k < m; k++) {
      const start = k * ldl;
      const solved = b[column + k] / l[start + k];
      b[column + k] = solved;
      for (let i = k + 1; i < m; i++) b[column + i] -= solved * l[start + i];
    }
  }
}

/** Both substitutions of `spotrs`. */
export const plainPotrsSingle: Backend['potrsSingle'] = (n, columns, factor, lda, b, ldb) => {
  for (const isTransposed of [false, true])
    solveLower(isTransposed, { m: n, n: columns }, { l: factor, ldl: lda, b, ldb });
  return 0;
};

/** Inverse from the Cholesky factor, lower triangle, in place; LAPACK's `dpotri`. */
export const plainPotri: Backend['potri'] = (n, factor, lda) => {
  for (let j = 0; j < n; j++) if (factor[j + j * lda] === 0) return j + 1;
  const identity = new Float64Array(n * n);
  for (let j = 0; j < n; j++) identity[j + j * n] = 1;
  plainTrsm(false, n, n, factor, lda, identity, n);
  plainTrsm(true, n, n, factor, lda, identity, n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) factor[i + j * lda] = identity[i + j * n];
  }
  return 0;
};
