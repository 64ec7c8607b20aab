import type { Backend } from '../backend.ts';
import {
  plainPotrf,
  plainPotrfSingle,
  plainPotri,
  plainPotrsSingle,
  plainTrsm,
  plainTrtriSingle,
} from './plain-cholesky.ts';
import { plainOrmtr, plainSyevd, plainSyevr, plainSytrd } from './plain-eigen.ts';
import { plainGemm, plainGemmSingle, plainGemv, plainSyrk, plainSyrkSingle } from './plain-products.ts';

/** Linear algebra in plain TypeScript: the fallback when no library is found, and the reference in tests. */
export const plainBackend: Backend = {
  name: 'plain',
  path: '',
  gemm: plainGemm,
  gemv: plainGemv,
  syrk: plainSyrk,
  syrkSingle: plainSyrkSingle,
  gemmSingle: plainGemmSingle,
  trsm: plainTrsm,
  potrf: plainPotrf,
  potrfSingle: plainPotrfSingle,
  potrsSingle: plainPotrsSingle,
  trtriSingle: plainTrtriSingle,
  potrs(n, columns, factor, lda, b, ldb) {
    plainTrsm(false, n, columns, factor, lda, b, ldb);
    plainTrsm(true, n, columns, factor, lda, b, ldb);
    return 0;
  },
  potri: plainPotri,
  syevd: plainSyevd,
  syevr: plainSyevr,
  sytrd: plainSytrd,
  ormtr: plainOrmtr,
};
