import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';

/** diag(own) + SᵀS of as many lines as S has columns. */
export function spreadCovariance(own: (line: number) => number, spread: Matrix): Matrix {
  const count = spread.columns;
  const covariance = createMatrix(count, count);
  for (let line = 0; line < count; line++) covariance.data[line * (count + 1)] = own(line);
  addOuterProduct(covariance, spread, 1, { transposeA: true });
  return mirrorLower(covariance);
}
