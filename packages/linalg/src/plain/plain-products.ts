import type { Backend } from '../backend.ts';

/** Rows of C that stay in the L1 cache while the columns of A pass through. */
const ROW_BLOCK = 1024;

/**
 * C = α·op(A)·op(B) + β·C in plain TypeScript, arguments as in BLAS `dgemm`. Transposed operands are first copied
 * untransposed (O(mk + kn) versus O(mkn)), so that the inner loop runs down columns, four columns of A at a time.
 */
export const plainGemm: Backend['gemm'] = (transposeA, transposeB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) => {
  for (let j = 0; j < n; j++) scaleRange(c, j * ldc, m, beta);
  if (alpha === 0 || k === 0) return;
  const upright = transposeA ? uprightCopy(a, lda, k, m) : a;
  const strideA = transposeA ? m : lda;
  const right = transposeB ? uprightCopy(b, ldb, n, k) : b;
  const strideB = transposeB ? k : ldb;
  for (let top = 0; top < m; top += ROW_BLOCK) {
    const height = Math.min(ROW_BLOCK, m - top);
    for (let j = 0; j < n; j++)
      addCombination(upright, strideA, top, height, k, right, j * strideB, alpha, c, j * ldc + top);
  }
};

/** C (lower triangle) = α·A·Aᵀ + β·C, or α·Aᵀ·A + β·C; arguments as in BLAS `dsyrk`. */
export const plainSyrk: Backend['syrk'] = (transposeA, n, k, alpha, a, lda, beta, c, ldc) => {
  for (let j = 0; j < n; j++) scaleRange(c, j + j * ldc, n - j, beta);
  if (alpha === 0 || k === 0) return;
  const tall = transposeA ? uprightCopy(a, lda, k, n) : a;
  const stride = transposeA ? n : lda;
  const row = new Float64Array(k);
  for (let j = 0; j < n; j++) {
    for (let l = 0; l < k; l++) row[l] = tall[j + l * stride];
    addCombination(tall, stride, j, n - j, k, row, 0, alpha, c, j + j * ldc);
  }
};

/** C (lower triangle) = Aᵀ·A + C in single precision, A k × n; sums are formed in double precision. */
export const plainSyrkSingle: Backend['syrkSingle'] = (transposeA, n, k, a, lda, c, ldc) => {
  const [inner, outer] = transposeA ? [1, lda] : [lda, 1];
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = c[i + j * ldc];
      for (let l = 0; l < k; l++) sum += a[l * inner + i * outer] * a[l * inner + j * outer];
      c[i + j * ldc] = sum;
    }
  }
};

/** C (m × n) = Aᵀ·B + C in single precision, A k × m, B k × n; sums are formed in double precision. */
export const plainGemmSingle: Backend['gemmSingle'] = (m, n, k, a, lda, b, ldb, c, ldc) => {
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) {
      let sum = c[i + j * ldc];
      for (let l = 0; l < k; l++) sum += a[l + i * lda] * b[l + j * ldb];
      c[i + j * ldc] = sum;
    }
  }
};

/** y = α·op(A)·x + β·y; arguments as in BLAS `dgemv` with unit strides. */
export const plainGemv: Backend['gemv'] = (transposeA, m, n, alpha, a, lda, x, beta, y) => {
  if (!transposeA) {
    scaleRange(y, 0, m, beta);
    addCombination(a, lda, 0, m, n, x, 0, alpha, y, 0);
    return;
  }
  for (let j = 0; j < n; j++) {
    let sum = 0;
    const start = j * lda;
    for (let i = 0; i < m; i++) sum += a[start + i] * x[i];
    y[j] = alpha * sum + (beta === 0 ? 0 : beta * y[j]);
  }
};

/** out[o + i] += α · Σ_l A[top + i, l] · x[xo + l] for i < height. */
function addCombination(
  a: Float64Array,
  lda: number,
  top: number,
  height: number,
  k: number,
  x: Float64Array,
  xo: number,
  alpha: number,
  out: Float64Array,
  o: number,
): void {
  let l = 0;
  for (; l + 4 <= k; l += 4) {
    const x0 = alpha * x[xo + l];
    const x1 = alpha * x[xo + l + 1];
    const x2 = alpha * x[xo + l + 2];
    const x3 = alpha * x[xo + l + 3];
    let a0 = top + l * lda;
    let a1 = a0 + lda;
    let a2 = a1 + lda;
    let a3 = a2 + lda;
    for (let i = 0; i < height; i++) out[o + i] += a[a0++] * x0 + a[a1++] * x1 + a[a2++] * x2 + a[a3++] * x3;
  }
  for (; l < k; l++) {
    const x0 = alpha * x[xo + l];
    const a0 = top + l * lda;
    for (let i = 0; i < height; i++) out[o + i] += a[a0 + i] * x0;
  }
}

/** BLAS rule: β = 0 overwrites, so that a NaN in an uninitialised result does not propagate. */
function scaleRange(values: Float64Array, start: number, length: number, beta: number): void {
  if (beta === 1) return;
  if (beta === 0) {
    values.fill(0, start, start + length);
    return;
  }
  for (let i = start; i < start + length; i++) values[i] *= beta;
}

/** The transpose (columns × rows) of a rows × columns matrix with leading dimension `lda`. */
function uprightCopy(a: Float64Array, lda: number, rows: number, columns: number): Float64Array {
  const copy = new Float64Array(rows * columns);
  const tile = 32;
  for (let left = 0; left < columns; left += tile) {
    const right = Math.min(columns, left + tile);
    for (let top = 0; top < rows; top += tile) {
      const bottom = Math.min(rows, top + tile);
      for (let j = left; j < right; j++) {
        for (let i = top; i < bottom; i++) copy[j + i * columns] = a[i + j * lda];
      }
    }
  }
  return copy;
}
