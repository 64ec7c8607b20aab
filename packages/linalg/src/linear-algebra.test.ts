import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  factorSingleInPlace,
  invertFactorSingleInPlace,
  solveLowerInPlace,
  solveSingleInPlace,
} from './cholesky.ts';
import { backend, withBackend } from './chosen-backend.ts';
import { LinalgError } from './linalg-error.ts';
import {
  columnBlock,
  createMatrix,
  type Matrix,
  matrixOf,
  mirrorLower,
  selectRowsAndColumns,
  transpose,
} from './matrix.ts';
import { plainBackend } from './plain/plain-backend.ts';
import {
  addCrossProductSingle,
  addOuterProduct,
  addOuterProductSingle,
  addProductSingle,
  multiply,
  multiplyVector,
} from './products.ts';
import {
  applyTridiagonalBasis,
  largestEigenpairsInPlace,
  symmetricEigenInPlace,
  symmetricEigenvaluesInPlace,
  tridiagonalizeInPlace,
} from './symmetric-eigen.ts';
import { coreTypeFor, describeLinearAlgebra, setThreadCount, threadCount } from './threads.ts';

/** Every test runs on the library found and on the plain backend; without a library both runs are plain. */
const backends = [
  ['the library', backend()],
  ['plain TypeScript', plainBackend],
] as const;

/** A fixed pseudo-random sequence in (−1, 1): a Lehmer generator, good enough to fill matrices. */
function randomMatrix(rows: number, columns: number, seed: number): Matrix {
  let state = seed;
  const matrix = createMatrix(rows, columns);
  for (let i = 0; i < matrix.data.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    matrix.data[i] = (2 * state) / 2_147_483_647 - 1;
  }
  return matrix;
}

function positiveDefinite(n: number, seed: number): Matrix {
  const matrix = createMatrix(n, n);
  addOuterProduct(matrix, randomMatrix(n, n + 3, seed));
  return mirrorLower(matrix);
}

const copyOf = (matrix: Matrix): Matrix => matrixOf(matrix.rows, matrix.columns, matrix.data.slice());

function largestDifference(a: Matrix, b: Matrix): number {
  expect([a.rows, a.columns]).toEqual([b.rows, b.columns]);
  return a.data.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b.data[i])), 0);
}

/** The product by definition, the reference for both backends. */
function definedProduct(a: Matrix, b: Matrix): Matrix {
  const c = createMatrix(a.rows, b.columns);
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < b.columns; j++) {
      for (let l = 0; l < a.columns; l++) c.data[i + j * a.rows] += a.data[i + l * a.rows] * b.data[l + j * b.rows];
    }
  }
  return c;
}

/** Rounding of sums of about 100 products of numbers below 1. */
const ROUNDING = 1e-12;

for (const [name, implementation] of backends) {
  test(`${name}: products equal their definition for every combination of transposes`, () => {
    withBackend(implementation, () => {
      const a = randomMatrix(37, 53, 1);
      const b = randomMatrix(53, 41, 2);
      const expected = definedProduct(a, b);
      for (const transposeA of [false, true]) {
        for (const transposeB of [false, true]) {
          const actual = multiply(transposeA ? transpose(a) : a, transposeB ? transpose(b) : b, {
            transposeA,
            transposeB,
          });
          expect(largestDifference(actual, expected)).toBeLessThan(ROUNDING);
        }
      }
      const into = randomMatrix(37, 41, 3);
      const start = copyOf(into);
      multiply(a, b, { alpha: 2, beta: -3, into });
      const combined = start.data.map((value, i) => 2 * expected.data[i] - 3 * value);
      expect(largestDifference(into, matrixOf(37, 41, combined))).toBeLessThan(ROUNDING);
      const x = b.data.slice(0, 53);
      expect(largestDifference(matrixOf(37, 1, multiplyVector(a, x)), columnBlock(expected, 0, 1))).toBeLessThan(
        ROUNDING,
      );
      const back = multiplyVector(a, x.slice(0, 37), { transposeA: true });
      const backExpected = definedProduct(transpose(a), matrixOf(37, 1, x.slice(0, 37)));
      expect(largestDifference(matrixOf(53, 1, back), backExpected)).toBeLessThan(ROUNDING);
    });
  });

  test(`${name}: outer products add to the lower triangle`, () => {
    withBackend(implementation, () => {
      const a = randomMatrix(29, 17, 4);
      const sum = createMatrix(29, 29);
      addOuterProduct(sum, a);
      addOuterProduct(sum, columnBlock(a, 3, 5), 2);
      const part = copyOf(columnBlock(a, 3, 5));
      const expected = definedProduct(a, transpose(a));
      const extra = definedProduct(part, transpose(part));
      for (let i = 0; i < expected.data.length; i++) expected.data[i] += 2 * extra.data[i];
      expect(largestDifference(mirrorLower(sum), expected)).toBeLessThan(ROUNDING);
    });
  });

  test(`${name}: cross products of whole numbers in single precision are exact up to 2²⁴`, () => {
    withBackend(implementation, () => {
      // 4,194,304 products of 2 · 2 would reach 2²⁴; 60 rows start from sums near it.
      const [n, k] = [7, 60];
      const a = Float32Array.from({ length: n * k }, (_, i) => (i * 7919) % 3);
      const start = 2 ** 24 - 4 * k;
      const c = new Float32Array(n * n).fill(start);
      addCrossProductSingle(c, a, n, k);
      for (let j = 0; j < n; j++) {
        for (let i = j; i < n; i++) {
          let sum = start;
          for (let l = 0; l < k; l++) sum += (a[l + i * k] ?? 0) * (a[l + j * k] ?? 0);
          expect(c[i + j * n]).toBe(sum);
        }
      }
      const turned = Float32Array.from({ length: n * k }, (_, at) => a[Math.floor(at / n) + (at % n) * k] ?? 0);
      const outer = new Float32Array(n * n).fill(start);
      addOuterProductSingle(outer, turned, n, k);
      expect(outer).toEqual(c);
      const columns = n - 3;
      const product = new Float32Array(n * columns).fill(start);
      addProductSingle(product, a, a.subarray(3 * k), { m: n, n: columns, k });
      for (let j = 0; j < columns; j++) {
        for (let i = 0; i < n; i++) {
          expect(product[i + j * n]).toBe(c[Math.max(i, j + 3) + Math.min(i, j + 3) * n]);
        }
      }
      expect(() => addProductSingle(product, a, a, { m: n, n, k })).toThrow('cannot add');
    });
  });

  test(`${name}: the Cholesky factor solves, inverts and gives the determinant`, () => {
    withBackend(implementation, () => {
      const a = positiveDefinite(60, 5);
      const b = randomMatrix(60, 3, 6);
      const factor = choleskyInPlace(copyOf(a));
      const x = copyOf(b);
      choleskySolveInPlace(factor, x);
      expect(largestDifference(multiply(a, x), b)).toBeLessThan(1e-9);
      const half = copyOf(b);
      solveLowerInPlace(factor.lower, half);
      solveLowerInPlace(factor.lower, half, { transposed: true });
      expect(largestDifference(half, x)).toBeLessThan(1e-9);
      const values = symmetricEigenvaluesInPlace(copyOf(a));
      const logDeterminant = values.reduce((sum, value) => sum + Math.log(value), 0);
      expect(choleskyLogDeterminant(factor)).toBeCloseTo(logDeterminant, 9);
      const product = multiply(a, choleskyInverseInPlace(factor));
      for (let i = 0; i < 60; i++) product.data[i + i * 60] -= 1;
      expect(Math.max(...product.data.map(Math.abs))).toBeLessThan(1e-9);
    });
  });

  test(`${name}: the inverse of the factor in single precision whitens the matrix`, () => {
    withBackend(implementation, () => {
      const n = 60;
      const a = positiveDefinite(n, 5);
      const single = Float32Array.from(a.data);
      factorSingleInPlace(single, n);
      const solved = Float32Array.from({ length: 2 * n }, (_, i) => Math.sin(i));
      const right = Float64Array.from(solved);
      solveSingleInPlace(single, solved, n);
      const back = multiply(
        mirrorLower(matrixOf(n, n, Float64Array.from(a.data))),
        matrixOf(n, 2, Float64Array.from(solved)),
      );
      for (let i = 0; i < 2 * n; i++) expect(back.data[i]).toBeCloseTo(right[i] ?? Number.NaN, 2);
      invertFactorSingleInPlace(single, n);
      const inverse = createMatrix(n, n);
      for (let j = 0; j < n; j++) for (let i = j; i < n; i++) inverse.data[i + j * n] = single[i + j * n];
      const product = multiply(multiply(inverse, a), inverse, { transposeB: true });
      for (let i = 0; i < n; i++) product.data[i + i * n] -= 1;
      expect(Math.max(...product.data.map(Math.abs))).toBeLessThan(1e-4);
      expect(() => factorSingleInPlace(Float32Array.of(1, 2, 2, 1), 2)).toThrow('leading minor of order 2');
    });
  });

  test(`${name}: a matrix that is not positive definite is refused with the order of the failing minor`, () => {
    withBackend(implementation, () => {
      const matrix = matrixOf(3, 3, Float64Array.of(4, 2, 0, 2, 1, 0, 0, 0, 1));
      expect(() => choleskyInPlace(matrix)).toThrow(
        expect.objectContaining({ code: 'not-positive-definite', details: { order: 2, n: 3 } }),
      );
    });
  });

  test(`${name}: eigenvectors rebuild the matrix, also with repeated and zero eigenvalues`, () => {
    withBackend(implementation, () => {
      const tall = randomMatrix(50, 20, 7);
      const singular = createMatrix(50, 50);
      addOuterProduct(singular, tall);
      mirrorLower(singular);
      const identity = createMatrix(50, 50);
      for (let i = 0; i < 50; i++) identity.data[i * 51] = 1;
      for (const a of [positiveDefinite(50, 8), singular, identity, createMatrix(50, 50)]) {
        const { values, vectors } = symmetricEigenInPlace(copyOf(a));
        expect([...values]).toEqual([...values].sort((p, q) => p - q));
        const scaled = copyOf(vectors);
        for (let j = 0; j < 50; j++) for (let i = 0; i < 50; i++) scaled.data[i + j * 50] *= values[j];
        expect(largestDifference(multiply(scaled, vectors, { transposeB: true }), a)).toBeLessThan(1e-11);
        const gram = multiply(vectors, vectors, { transposeA: true });
        expect(largestDifference(gram, identity)).toBeLessThan(1e-12);
      }
    });
  });

  test(`${name}: the largest eigenpairs come first and agree with the full decomposition`, () => {
    withBackend(implementation, () => {
      const a = positiveDefinite(40, 9);
      const all = symmetricEigenvaluesInPlace(copyOf(a));
      const { values, vectors } = largestEigenpairsInPlace(copyOf(a), 3);
      for (let j = 0; j < 3; j++) expect(values[j]).toBeCloseTo(all[39 - j], 10);
      const image = multiply(a, vectors);
      const expected = copyOf(vectors);
      for (let j = 0; j < 3; j++) for (let i = 0; i < 40; i++) expected.data[i + j * 40] *= values[j];
      expect(largestDifference(image, expected)).toBeLessThan(1e-10);
    });
  });

  test(`${name}: the tridiagonal form with its basis rebuilds the matrix`, () => {
    withBackend(implementation, () => {
      for (const n of [1, 2, 3, 45]) {
        const a = positiveDefinite(n, 10);
        const form = tridiagonalizeInPlace(copyOf(a));
        const t = createMatrix(n, n);
        for (let i = 0; i < n; i++) t.data[i + i * n] = form.diagonal[i];
        for (let i = 0; i < n - 1; i++) {
          t.data[i + 1 + i * n] = form.offDiagonal[i];
          t.data[i + (i + 1) * n] = form.offDiagonal[i];
        }
        applyTridiagonalBasis(form, t, { transposed: false });
        const right = transpose(t);
        applyTridiagonalBasis(form, right, { transposed: false });
        expect(largestDifference(right, a)).toBeLessThan(1e-11);
        applyTridiagonalBasis(form, right, { transposed: true });
        expect(largestDifference(right, transpose(t))).toBeLessThan(1e-11);
      }
    });
  });

  test(`${name}: a value that is not finite is refused before LAPACK sees it`, () => {
    withBackend(implementation, () => {
      const matrix = positiveDefinite(4, 11);
      matrix.data[6] = Number.NaN;
      expect(() => symmetricEigenInPlace(matrix)).toThrow(expect.objectContaining({ code: 'not-finite' }));
    });
  });
}

// Of large matrices the reflectors are packed and applied by panels; 1,300 is no multiple of their width.
test.skipIf(backend().name === 'plain').each([
  ['of full rank', 1300, 1303],
  ['with a thousand zero eigenvalues', 1300, 300],
])('a large matrix %s has orthonormal eigenvectors that rebuild it', (_, n, rank) => {
  const a = createMatrix(n, n);
  addOuterProduct(a, randomMatrix(n, rank, 5));
  mirrorLower(a);
  const norm = symmetricEigenvaluesInPlace(copyOf(a));
  const { values, vectors } = symmetricEigenInPlace(copyOf(a));
  const largest = norm[n - 1];
  for (const [j, value] of values.entries()) expect(Math.abs(value - norm[j])).toBeLessThan(1e-13 * largest);
  const gram = multiply(vectors, vectors, { transposeA: true });
  for (let i = 0; i < n; i++) gram.data[i + i * n] -= 1;
  expect(gram.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0)).toBeLessThan(1e-13);
  const scaled = copyOf(vectors);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) scaled.data[i + j * n] *= values[j];
  expect(largestDifference(multiply(scaled, vectors, { transposeB: true }), a)).toBeLessThan(1e-13 * largest);
});

test('shapes that do not fit are refused with both shapes named', () => {
  const a = createMatrix(3, 4);
  const b = createMatrix(5, 2);
  expect(() => multiply(a, b)).toThrow(/3 × 4.*5 × 2/);
  expect(() => multiply(a, createMatrix(4, 2), { into: b })).toThrow(/3 × 2.*5 × 2/);
  expect(() => multiplyVector(a, new Float64Array(3))).toThrow(/3 × 4.*3/);
  expect(() => addOuterProduct(createMatrix(2, 2), a)).toThrow(/3 × 4.*2 × 2/);
  expect(() => choleskyInPlace(a)).toThrow(/square.*3 × 4/);
  expect(() => largestEigenpairsInPlace(createMatrix(2, 2), 3)).toThrow(LinalgError);
  expect(() => matrixOf(2, 2, new Float64Array(3))).toThrow(LinalgError);
  expect(() => columnBlock(a, 3, 2)).toThrow(LinalgError);
});

test('rows and columns are picked in the given order', () => {
  const matrix = matrixOf(2, 3, Float64Array.of(1, 2, 3, 4, 5, 6));
  const picked = selectRowsAndColumns(matrix, Int32Array.of(1, 0), Int32Array.of(2, 0));
  expect([...picked.data]).toEqual([6, 5, 2, 1]);
});

test('the number of threads is the one that was set, when the library has threads', () => {
  const before = threadCount();
  const has = describeLinearAlgebra().name === 'openblas';
  for (const count of [2, 1]) {
    setThreadCount(count);
    expect(threadCount()).toBe(has ? count : 1);
  }
  setThreadCount(before);
  expect(() => setThreadCount(0)).toThrow(RangeError);
  expect(describeLinearAlgebra().threads).toBeGreaterThanOrEqual(1);
});

test('better kernels are asked for only where the processor has them and OpenBLAS did not choose them', () => {
  const flags = new Set(['avx2', 'avx512f', 'avx512dq', 'avx512bw', 'avx512vl']);
  expect(coreTypeFor(flags, 'Haswell')).toBe('SkylakeX');
  expect(coreTypeFor(flags, 'SkylakeX')).toBeUndefined();
  expect(coreTypeFor(new Set(['avx2', 'avx512f']), 'Haswell')).toBeUndefined();
  // OpenBLAS takes its oldest kernels on a processor of Intel that it does not know.
  expect(coreTypeFor(flags, 'Prescott')).toBe('SkylakeX');
  expect(coreTypeFor(new Set(['avx2', 'fma']), 'Prescott')).toBe('Haswell');
  expect(coreTypeFor(new Set(['sse3']), 'Prescott')).toBeUndefined();
  expect(coreTypeFor(flags, '')).toBeUndefined();
});

test('the built-in linear algebra can be asked for without a word, and a named library that is missing stops with the reason', () => {
  const run = (environment: Record<string, string>, folder: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { backend } = await import('${folder}'); backend(); console.log(backend().name)`,
      ],
      { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', ...environment } },
    );
  const module = new URL('./chosen-backend.ts', import.meta.url).href;
  const asked = run({ HETEROSIS_BLAS: 'none' }, module);
  expect([asked.stdout.trim(), asked.stderr]).toEqual(['plain', '']);
  const wrong = run({ HETEROSIS_BLAS: '/nowhere/libopenblas.so' }, module);
  expect(wrong.status).not.toBe(0);
  expect(wrong.stderr).toContain('HETEROSIS_BLAS');
});
