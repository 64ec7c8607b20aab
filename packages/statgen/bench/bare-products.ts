// The matrix products and decompositions that every analysis needs, alone and with the same shapes.
import { spawnSync } from 'node:child_process';
import { columnBlock, createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace, tridiagonalizeInPlace } from '@heterosis/linalg/symmetric-eigen';
import { computeEnvironment, describeLinearAlgebra, setThreadCount } from '@heterosis/linalg/threads';
import { secondsOf } from './simulate-panel.ts';

/**
 * Starts this benchmark again when OpenBLAS would choose slower kernels than the processor has: the command line and
 * the server do the same, and programs started from here inherit the choice. One thread from here on.
 *
 * @returns the kernels in use
 */
export function useFullSpeed(): string {
  const environment = computeEnvironment();
  if (Object.keys(environment).length > 0) {
    const env = { ...process.env, ...environment };
    process.exit(spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env }).status ?? 1);
  }
  setThreadCount(1);
  return describeLinearAlgebra().core;
}

/** CPU seconds of the bare products of a GWAS. */
export interface BareGwas {
  /** Kinship: dsyrk, n × 1,024 at a time. */
  syrk: number;
  /** Its decomposition: dsyevd. */
  eigen: number;
  /** Rotation of the markers: dgemm, n × 512 at a time. */
  gemm: number;
  total: number;
}

/** Times the bare products of a GWAS of `markers` markers, without reading, decoding or testing. */
export function bareGwas(n: number, markers: number): BareGwas {
  // The block widths of the analysis, at which each was fastest with n = 1,000.
  const block = filledBlock(n, 1024);
  const sum = createMatrix(n, n);
  const syrk = secondsOf(() => {
    for (let left = markers; left > 0; left -= 1024) addOuterProduct(sum, columnBlock(block, 0, Math.min(1024, left)));
  });
  const basis = matrixOf(n, n, sum.data.slice());
  const eigen = secondsOf(() => {
    symmetricEigenInPlace(sum);
  });
  const rotated = createMatrix(n, 512);
  const gemm = secondsOf(() => {
    for (let left = markers; left > 0; left -= 512) {
      const columns = Math.min(512, left);
      multiply(basis, columnBlock(block, 0, columns), { transposeA: true, into: columnBlock(rotated, 0, columns) });
    }
  });
  return { syrk, eigen, gemm, total: syrk + eigen + gemm };
}

/** CPU seconds of the dsyrk of the kinship and of one dsytrd of each training part of a cross-validation. */
export function bareCrossValidation(n: number, markers: number, folds: number, fits: number): number {
  const block = filledBlock(n, 512);
  const sum = createMatrix(n, n);
  const syrk = secondsOf(() => {
    for (let first = 0; first < markers; first += 512) addOuterProduct(sum, block);
  });
  const part = Math.round(n * (1 - 1 / folds)) - 1;
  const tridiagonal = secondsOf(() => {
    for (let fit = 0; fit < fits; fit++) {
      const copy = createMatrix(part, part);
      for (let j = 0; j < part; j++) copy.data.set(sum.data.subarray(j * n, j * n + part), j * part);
      tridiagonalizeInPlace(copy);
    }
  });
  return syrk + tridiagonal;
}

function filledBlock(n: number, columns: number): ReturnType<typeof createMatrix> {
  const random = new Float64Array(n * columns);
  // A linear congruential generator suffices: the time of a product does not depend on the values, that of a
  // decomposition hardly.
  let state = 1;
  for (let i = 0; i < random.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    random[i] = state / 2 ** 31;
  }
  return matrixOf(n, columns, random);
}
