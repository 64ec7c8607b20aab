import type { Backend } from '../backend.ts';
import { type FortranRoutines, integers, LEFT, LOWER, N, op, reals, set, stride, T } from './fortran.ts';

const ONE = Int32Array.of(1);
const UNIT = Float64Array.of(1);
const SINGLE_UNIT = Float32Array.of(1);

/** Products, and triangular systems. */
export function systemProducts({
  dgemm,
  dgemv,
  dsyrk,
  ssyrk,
  sgemm,
  dtrsm,
}: FortranRoutines): Pick<Backend, 'gemm' | 'gemv' | 'syrk' | 'syrkSingle' | 'gemmSingle' | 'trsm'> {
  const [i0, i1, i2, strideA, strideB, strideC] = integers(6);
  const [r0, r1] = reals(2);
  return {
    gemm(transposeA, transposeB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
      set(i0, m);
      set(i1, n);
      set(i2, k);
      set(r0, alpha);
      set(r1, beta);
      stride(strideA, lda);
      stride(strideB, ldb);
      stride(strideC, ldc);
      dgemm(op(transposeA), op(transposeB), i0, i1, i2, r0, a, strideA, b, strideB, r1, c, strideC, 1, 1);
    },
    gemv(transposeA, m, n, alpha, a, lda, x, beta, y) {
      stride(strideA, lda);
      dgemv(op(transposeA), set(i0, m), set(i1, n), set(r0, alpha), a, strideA, x, ONE, set(r1, beta), y, ONE, 1);
    },
    syrk(transposeA, n, k, alpha, a, lda, beta, c, ldc) {
      stride(strideA, lda);
      stride(strideC, ldc);
      const opA = op(transposeA);
      dsyrk(LOWER, opA, set(i0, n), set(i1, k), set(r0, alpha), a, strideA, set(r1, beta), c, strideC, 1, 1);
    },
    syrkSingle(transposeA, n, k, a, lda, c, ldc) {
      stride(strideA, lda);
      stride(strideC, ldc);
      ssyrk(LOWER, op(transposeA), set(i0, n), set(i1, k), SINGLE_UNIT, a, strideA, SINGLE_UNIT, c, strideC, 1, 1);
    },
    gemmSingle(m, n, k, a, lda, b, ldb, c, ldc) {
      set(i0, m);
      set(i1, n);
      set(i2, k);
      stride(strideA, lda);
      stride(strideB, ldb);
      stride(strideC, ldc);
      sgemm(T, N, i0, i1, i2, SINGLE_UNIT, a, strideA, b, strideB, SINGLE_UNIT, c, strideC, 1, 1);
    },
    trsm(transposeL, m, n, l, ldl, b, ldb) {
      stride(strideA, ldl);
      stride(strideB, ldb);
      dtrsm(LEFT, LOWER, op(transposeL), N, set(i0, m), set(i1, n), UNIT, l, strideA, b, strideB, 1, 1, 1, 1);
    },
  };
}
