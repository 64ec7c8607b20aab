import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { largestEigenpairsInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';

export interface PrincipalComponents {
  /** n × count: eigenvectors of the kinship of unit length, largest eigenvalue first; the sign is arbitrary. */
  axes: Matrix;
  /** Descending. */
  eigenvalues: Float64Array;
  /** Share of the kinship's trace, that is of the marker variance, per axis. */
  shares: Float64Array;
}

/**
 * Principal components of a panel from its kinship matrix (n × n, unchanged); O(n³).
 *
 * @throws StatgenError `bad-option` when there are fewer individuals than components
 */
export function principalComponents(kinship: Matrix, count: number): PrincipalComponents {
  const n = kinship.rows;
  if (!(Number.isInteger(count) && count >= 0 && count <= n)) {
    throw new StatgenError('bad-option', `${n} individuals do not have ${count} principal components`, { n, count });
  }
  if (count === 0) return { axes: createMatrix(n, 0), eigenvalues: new Float64Array(0), shares: new Float64Array(0) };
  let trace = 0;
  for (let i = 0; i < n; i++) trace += kinship.data[i + i * n];
  const { values, vectors } = largestEigenpairsInPlace(matrixOf(n, n, kinship.data.slice()), count);
  return { axes: vectors, eigenvalues: values, shares: values.map((value) => (trace > 0 ? value / trace : 0)) };
}
