import type { Backend } from '../backend.ts';
import { type FortranRoutines, integers, LOWER, N, set, stride } from './fortran.ts';

/** The Cholesky factor, and what is computed from it. */
export function systemCholesky({
  dpotrf,
  dpotrs,
  dpotri,
  spotrf,
  spotrs,
  strtri,
}: FortranRoutines): Pick<Backend, 'potrf' | 'potrs' | 'potri' | 'potrfSingle' | 'potrsSingle' | 'trtriSingle'> {
  const [order, width, strideA, strideB, info] = integers(5);
  return {
    potrf(n, a, lda) {
      dpotrf(LOWER, set(order, n), a, stride(strideA, lda), info, 1);
      return info[0];
    },
    potrfSingle(n, a, lda) {
      spotrf(LOWER, set(order, n), a, stride(strideA, lda), info, 1);
      return info[0];
    },
    potrsSingle(n, columns, factor, lda, b, ldb) {
      stride(strideB, ldb);
      spotrs(LOWER, set(order, n), set(width, columns), factor, stride(strideA, lda), b, strideB, info, 1);
      return info[0];
    },
    trtriSingle(n, a, lda) {
      strtri(LOWER, N, set(order, n), a, stride(strideA, lda), info, 1, 1);
      return info[0];
    },
    potrs(n, columns, factor, lda, b, ldb) {
      stride(strideB, ldb);
      dpotrs(LOWER, set(order, n), set(width, columns), factor, stride(strideA, lda), b, strideB, info, 1);
      return info[0];
    },
    potri(n, factor, lda) {
      dpotri(LOWER, set(order, n), factor, stride(strideA, lda), info, 1);
      return info[0];
    },
  };
}
