import type { Backend } from '../backend.ts';
import { type EigenRoutines, eigenByPackedReflectors } from '../packed-eigen.ts';
import { type FortranRoutines, I, integers, LEFT, LOWER, N, op, set, stride, V } from './fortran.ts';
import type { Workspace } from './workspace.ts';

/** From this order on, n × n numbers of scratch are worth saving. */
const PACKED_FROM = 1000;
/** `dsyevd` scales matrices whose numbers, squared, would overflow or underflow. */
const MODERATE = 1e100;

/** Eigenvalues and eigenvectors of symmetric matrices, and their tridiagonal form. */
export function systemEigen(
  routines: FortranRoutines,
  workspace: Workspace,
): Pick<Backend, 'syevd' | 'syevr' | 'sytrd' | 'ormtr'> {
  const { dsyevd, dsyevr, dormtr } = routines;
  const steps = stepsOfEigen(routines, workspace);
  const [i0, i1, strideA, strideC, first1, last1, found] = integers(7);
  const zero = new Float64Array(1);
  return {
    syevd(vectors, n, a, lda, values) {
      if (vectors && n >= PACKED_FROM && lda === n && isModerate(a)) {
        return eigenByPackedReflectors(steps, n, a, values);
      }
      set(i0, n);
      stride(strideA, lda);
      return workspace.runWithIntegers((work, length, integerWork, integerLength, info) =>
        dsyevd(vectors ? V : N, LOWER, i0, a, strideA, values, work, length, integerWork, integerLength, info, 1, 1),
      );
    },
    syevr(n, a, lda, first, last, values, vectors) {
      const support = new Int32Array(2 * Math.max(1, last - first + 1));
      set(i0, n);
      set(first1, first + 1);
      set(last1, last + 1);
      stride(strideA, lda);
      stride(strideC, n);
      return workspace.runWithIntegers((work, length, integerWork, integerLength, info) => {
        // Values by index; the bounds of values and the tolerance are not used.
        const range = [zero, zero, first1, last1, zero];
        const eigenpairs = [found, values, vectors, strideC, support];
        const scratch = [work, length, integerWork, integerLength];
        dsyevr(V, I, LOWER, i0, a, strideA, ...range, ...eigenpairs, ...scratch, info, 1, 1, 1);
      });
    },
    sytrd: steps.sytrd,
    ormtr(transposeQ, n, columns, reflectors, lda, tau, c, ldc) {
      set(i0, n);
      set(i1, columns);
      stride(strideA, lda);
      stride(strideC, ldc);
      return workspace.run((work, length, info) =>
        dormtr(LEFT, LOWER, op(transposeQ), i0, i1, reflectors, strideA, tau, c, strideC, work, length, info, 1, 1, 1),
      );
    },
  };
}

/** The steps from a symmetric matrix to its eigenpairs. */
function stepsOfEigen({ dsytrd, dstedc, dormqr }: FortranRoutines, workspace: Workspace): EigenRoutines {
  const [i0, i1, i2, strideA, strideC] = integers(5);
  return {
    sytrd(n, a, lda, diagonal, offDiagonal, tau) {
      set(i0, n);
      stride(strideA, lda);
      return workspace.run((work, length, info) =>
        dsytrd(LOWER, i0, a, strideA, diagonal, offDiagonal, tau, work, length, info, 1),
      );
    },
    stedc(n, diagonal, offDiagonal, vectors, ldz) {
      set(i0, n);
      stride(strideA, ldz);
      return workspace.runWithIntegers((work, length, integerWork, integerLength, info) =>
        dstedc(I, i0, diagonal, offDiagonal, vectors, strideA, work, length, integerWork, integerLength, info, 1),
      );
    },
    ormqr(m, columns, k, a, lda, tau, c, ldc) {
      set(i0, m);
      set(i1, columns);
      set(i2, k);
      stride(strideA, lda);
      stride(strideC, ldc);
      return workspace.run((work, length, info) =>
        dormqr(LEFT, N, i0, i1, i2, a, strideA, tau, c, strideC, work, length, info, 1, 1),
      );
    },
  };
}

function isModerate(a: Float64Array): boolean {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]));
  return largest < MODERATE && (largest === 0 || largest > 1 / MODERATE);
}
