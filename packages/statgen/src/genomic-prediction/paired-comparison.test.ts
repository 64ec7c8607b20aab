import { expect, test } from 'vitest';
import { compareFolds, studentP } from './paired-comparison.ts';

test('the tail of Student’s t is that of scipy 1.10', () => {
  for (const [t, degrees, p] of [
    [0.5, 3, 0.651447964848151],
    [2.3, 49, 0.02574729723838734],
    [-4, 9, 0.0031104283103858543],
    [12, 200, 2.422136005246625e-25],
    [1e-3, 1, 0.9993633804398159],
    [0, 5, 1],
  ] as const) {
    expect(studentP(t, degrees) / p).toBeCloseTo(1, 11);
  }
});

test('differences of folds have the error of overlapping training parts', () => {
  const { t, standardError, degrees, p } = compareFolds(
    [0.05, 0.1, -0.02, 0.07, 0.03, 0, 0.04, 0.09, -0.01, 0.05],
    1 / 4,
  );
  expect(t).toBeCloseTo(1.6561573424216498, 12);
  expect(standardError).toBeCloseTo(0.024152294576982397, 12);
  expect(degrees).toBe(9);
  expect(p).toBeCloseTo(0.132071791440696, 11);
  expect(compareFolds([0, 0, 0], 0.25)).toMatchObject({ t: 0, p: 1 });
});
