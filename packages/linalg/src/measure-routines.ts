import { choleskyInPlace } from './cholesky.ts';
import { createMatrix } from './matrix.ts';
import { addCrossProductSingle, multiply } from './products.ts';
import { symmetricEigenInPlace, tridiagonalizeInPlace } from './symmetric-eigen.ts';
import { setThreadCount, threadCount } from './threads.ts';

/** Operations a second of one thread. */
export interface RoutineRates {
  double: number;
  single: number;
  tridiagonal: number;
  eigen: number;
}

/** Orders at which a routine takes a tenth of a second and is near its full speed. */
const PRODUCT = 1200;
const REDUCTION = 1000;
const DECOMPOSITION = 600;

/**
 * Speed of the routines of an analysis on this machine, one thread; about a second. The operations of `dsyevd` count
 * as 9n³.
 *
 * @param now milliseconds, of CPU time where other programs run beside
 */
export function measureRoutines(now: () => number): RoutineRates {
  const threads = threadCount();
  setThreadCount(1);
  try {
    const a = createMatrix(PRODUCT, PRODUCT);
    for (let i = 0; i < a.data.length; i++) a.data[i] = ((i * 7919) % 97) / 97 - 0.5;
    const secondsOf = (action: () => void): number => {
      const start = now();
      action();
      return Math.max(1e-6, (now() - start) / 1000);
    };
    const product = createMatrix(PRODUCT, PRODUCT);
    multiply(a, a, { into: product });
    const double = secondsOf(() => multiply(a, a, { transposeA: true, into: product }));
    for (let i = 0; i < PRODUCT; i++) product.data[i + i * PRODUCT] += PRODUCT;
    const factor = secondsOf(() => choleskyInPlace(product));
    const singles = new Float32Array(PRODUCT * PRODUCT);
    const sum = new Float32Array(PRODUCT * PRODUCT);
    addCrossProductSingle(sum, singles, PRODUCT, PRODUCT);
    const single = secondsOf(() => addCrossProductSingle(sum, singles, PRODUCT, PRODUCT));
    const symmetric = (order: number) => {
      const matrix = createMatrix(order, order);
      for (let j = 0; j < order; j++) {
        for (let i = 0; i < order; i++) matrix.data[i + j * order] = a.data[Math.min(i, j) + Math.max(i, j) * PRODUCT];
      }
      return matrix;
    };
    const reduced = symmetric(REDUCTION);
    const tridiagonal = secondsOf(() => tridiagonalizeInPlace(reduced));
    const decomposed = symmetric(DECOMPOSITION);
    const eigen = secondsOf(() => symmetricEigenInPlace(decomposed));
    return {
      double: (2 * PRODUCT ** 3 + PRODUCT ** 3 / 3) / (double + factor),
      single: PRODUCT ** 3 / single,
      tridiagonal: ((4 / 3) * REDUCTION ** 3) / tridiagonal,
      eigen: (9 * DECOMPOSITION ** 3) / eigen,
    };
  } finally {
    setThreadCount(threads);
  }
}
