import { matrixOf } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { requirePositiveSemidefinite } from './positive-semidefinite.ts';

test('a covariance is left as it is, a singular one too', () => {
  // Eigenvalues 3, 1 and 2, 0.
  for (const data of [Float64Array.of(2, 1, 1, 2), Float64Array.of(1, 1, 1, 1)]) {
    const kinship = matrixOf(2, 2, data.slice());
    expect(requirePositiveSemidefinite(kinship)).toBe(0);
    expect(kinship.data).toEqual(data);
  }
});

test('an eigenvalue that rounding has made negative is lifted to 0 by the diagonal', () => {
  const kinship = matrixOf(2, 2, Float64Array.of(1, 1.00004, 1.00004, 1));
  expect(requirePositiveSemidefinite(kinship)).toBeCloseTo(4e-5, 12);
  expect(kinship.data[0]).toBeCloseTo(1.00004, 12);
  expect(kinship.data[1]).toBe(1.00004);
});

test.each([[Float64Array.of(1, 2, 2, 1)], [Float64Array.of(-1, 0, 0, -1)], [Float64Array.of(0, 0, 0, 0)]])(
  '%j is no covariance',
  (data) => {
    expect(() => requirePositiveSemidefinite(matrixOf(2, 2, data))).toThrow(
      expect.objectContaining({ code: 'not-positive-semidefinite' }),
    );
  },
);
