import { choleskyInPlace, solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, transpose } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import type { ErrorCovariance } from '../mixed-model/whitening.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { plainTester } from './plain-association.test-data.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { columnOf, matrixOfColumns, NO_FILTER, smallAssociation } from './small-association.test-data.ts';
import { createMarkerTester } from './test-markers.ts';

const N = 60;
const COUNT = 80;
const TESTS = ['SCORE', 'WALD', 'LRT'] as const;

function tested(study: ReturnType<typeof smallAssociation>, covariates: Matrix, errors?: ErrorCovariance) {
  const { kinship, y, packed } = study;
  const state = prepareGwas({ kinship, traits: [y], principalComponents: 0, covariates, errors });
  const tester = createMarkerTester(state, { panelSize: N, filter: NO_FILTER, tests: TESTS });
  return { state, columns: tester.test(packed, COUNT).traits[0] };
}

/** Correlated errors, the standard errors of some values several times those of others. */
function correlatedErrors(seed: number): Matrix {
  const random = createRandomStream(seed, 'errors');
  const errors = createMatrix(N, N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++) errors.data[i + j * N] = i % 6 === j % 6 ? 1.5 : 0.5;
    errors.data[i * (N + 1)] += 0.5 + 9 * random.uniform() ** 2;
  }
  return errors;
}

test('equal errors change no test', () => {
  const study = smallAssociation(N, COUNT, 3);
  const covariate = matrixOf(
    N,
    1,
    new Float64Array(N).map((_, i) => Math.sin(i)),
  );
  const without = tested(study, covariate);
  const equal = tested(study, covariate, new Float64Array(N).fill(7));
  for (const name of TESTS) {
    for (const figure of ['statistic', 'beta', 'se', 'h2'] as const) {
      const [found, expected] = [equal.columns[name]?.[figure], without.columns[name]?.[figure]];
      for (const [j, value] of (expected ?? []).entries()) expect(found?.[j]).toBeCloseTo(value, 10);
    }
  }
  expect(equal.state.traits[0].remlLogLikelihood).toBeCloseTo(without.state.traits[0].remlLogLikelihood, 10);
});

test.each([5, 6])('tests given the errors are those of everything divided by them (%i)', (seed) => {
  const study = smallAssociation(N, COUNT, seed);
  const { kinship, centred, y } = study;
  const covariate = columnOf(centred, 2);
  const errors = correlatedErrors(seed);
  const { columns } = tested(study, matrixOf(N, 1, covariate), errors);
  const lower = matrixOf(N, N, errors.data.slice());
  choleskyInPlace(lower);
  const divided = (matrix: Matrix): Matrix => {
    const copy = matrixOf(matrix.rows, matrix.columns, matrix.data.slice());
    solveLowerInPlace(lower, copy);
    return copy;
  };
  const vector = (values: Float64Array): Float64Array => divided(matrixOf(N, 1, values)).data;
  const test = plainTester(
    divided(transpose(divided(kinship))),
    vector(y),
    divided(matrixOfColumns([new Float64Array(N).fill(1), covariate])),
  );
  for (let j = 3; j < COUNT; j += 7) {
    const plain = test(vector(columnOf(centred, j)));
    for (const [name, expected] of [
      ['SCORE', plain.score],
      ['WALD', plain.wald],
      ['LRT', plain.lrt],
    ] as const) {
      // The bound of h², 0.99, is on the scale of the errors, which differs by their mean.
      expect(expected.h2).toBeLessThan(0.9);
      const found = columns[name];
      expect(found?.statistic[j]).toBeCloseTo(expected.statistic, 6);
      expect(found?.beta[j]).toBeCloseTo(expected.beta, 6);
      expect(found?.se[j]).toBeCloseTo(expected.se, 6);
    }
  }
});
