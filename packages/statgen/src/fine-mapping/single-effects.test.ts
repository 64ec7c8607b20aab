import { expect, test } from 'vitest';
import { prepareGwas, relativeErrors } from '../association/prepare-gwas.ts';
import { createMatrix, type Matrix, matrixOf, multiply } from '../linear-algebra.ts';
import { denseReml, goldenSection, profiledReml } from '../mixed-model/dense-reml.test-data.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { decorrelate, varianceComponents } from './decorrelate.ts';
import { fitSingleEffects } from './single-effects.ts';

const OPTIONS = { effects: 5, coverage: 0.95, purity: 0.5 };

/** Markers in blocks of five that go together, centred. */
function markersOf(n: number, blocks: number, seed: number): Matrix {
  const random = createRandomStream(seed, 'blocks');
  const x = createMatrix(n, 5 * blocks);
  for (let b = 0; b < blocks; b++) {
    const common = Array.from({ length: n }, () => random.normal());
    for (let k = 0; k < 5; k++) {
      const own = x.data.subarray((5 * b + k) * n, (5 * b + k + 1) * n);
      for (let i = 0; i < n; i++) own[i] = common[i]! + 0.5 * random.normal();
      const mean = own.reduce((sum, value) => sum + value, 0) / n;
      for (let i = 0; i < n; i++) own[i]! -= mean;
    }
  }
  return x;
}

function valuesOf(x: Matrix, effects: ReadonlyMap<number, number>, seed: number): Float64Array {
  const random = createRandomStream(seed, 'values');
  const y = Float64Array.from({ length: x.rows }, () => random.normal());
  for (const [j, effect] of effects) for (let i = 0; i < x.rows; i++) y[i]! += effect * x.data[i + j * x.rows]!;
  const mean = y.reduce((sum, value) => sum + value, 0) / x.rows;
  return y.map((value) => value - mean);
}

test('one effect has the probabilities of its Bayes factors', () => {
  const x = markersOf(120, 4, 1);
  const y = valuesOf(x, new Map([[7, 0.6]]), 2);
  const { inclusion, effect, sets } = fitSingleEffects(x, y, { ...OPTIONS, effects: 1 });
  const { variance } = sets[0]!;
  // Densities of y with the effect on each marker, by the covariance I + vxxᵀ (matrix determinant lemma).
  const logs = Array.from({ length: x.columns }, (_, j) => {
    const own = x.data.subarray(j * x.rows, (j + 1) * x.rows);
    const [square, product] = [own.reduce((s, v) => s + v * v, 0), own.reduce((s, v, i) => s + v * y[i]!, 0)];
    return {
      log: -0.5 * Math.log(1 + variance * square) + (0.5 * variance * product ** 2) / (1 + variance * square),
      square,
      product,
    };
  });
  const largest = Math.max(...logs.map(({ log }) => log));
  const total = logs.reduce((sum, { log }) => sum + Math.exp(log - largest), 0);
  for (const [j, { log, square, product }] of logs.entries()) {
    const probability = Math.exp(log - largest) / total;
    expect(inclusion[j]).toBeCloseTo(probability, 8);
    expect(effect[j]).toBeCloseTo((probability * variance * product) / (1 + variance * square), 8);
  }
});

test('sets hold the markers with effects as often as they say, and without effects there are none', () => {
  let [made, right, none] = [0, 0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const x = markersOf(200, 12, seed);
    const truth = new Map([
      [3, 0.4],
      [28, -0.3],
    ]);
    const { sets, isConverged } = fitSingleEffects(x, valuesOf(x, truth, seed), OPTIONS);
    expect(isConverged).toBe(true);
    made += sets.length;
    right += sets.filter(({ markers }) => markers.some((j) => truth.has(j))).length;
    none += fitSingleEffects(x, valuesOf(x, new Map(), seed), OPTIONS).sets.length;
  }
  expect(made).toBeGreaterThan(70);
  expect(right / made).toBeGreaterThan(0.9);
  expect(none).toBeLessThan(5);
});

const N = 14;
/** Relationships, errors, a trait, a covariate and markers of some individuals. */
function individuals() {
  const random = createRandomStream(7, 'individuals');
  const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.normal());
  const roots = matrixOf(N, 20, numbers(N * 20));
  return {
    kinship: multiply(roots, roots, { transposeB: true }),
    errors: numbers(N).map((value) => 0.5 + value ** 2),
    y: numbers(N),
    covariate: matrixOf(N, 1, numbers(N)),
    columns: matrixOf(N, 3, numbers(N * 3)),
  };
}

const rowsOf = ({ rows, columns, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => data[i + j * rows]!));

test.for([false, true])('what is left of values and markers has covariance I (errors known: %s)', (areKnown) => {
  const { kinship, errors, y, columns } = individuals();
  const mean = matrixOf(N, 1, new Float64Array(N).fill(1));
  const r = (areKnown ? relativeErrors(errors, mean) : null) ?? new Float64Array(N).fill(1);
  const model = prepareGwas({ kinship, traits: [y], principalComponents: 0, ...(areKnown ? { errors } : {}) });
  const { rows, data } = decorrelate(model, { additive: 2, residual: 1 }, columns);
  expect(rows).toBe(N - 1);
  const errorKernel = Array.from(r, (variance, i) => Array.from(r, (_, j) => (i === j ? variance : 0)));
  const { projection } = denseReml([rowsOf(kinship), errorKernel], [2, 1], 0, Array.from(y));
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      let found = 0;
      for (let k = 0; k < rows; k++) found += data[k + a * rows]! * data[k + b * rows]!;
      let expected = 0;
      for (const [i, row] of projection.entries())
        for (const [j, p] of row.entries()) expected += columns.data[i + a * N]! * p * columns.data[j + b * N]!;
      expect(found).toBeCloseTo(expected, 10);
    }
  }
});

test('variances without marker are those of the highest likelihood', () => {
  const { kinship, y } = individuals();
  const model = prepareGwas({ kinship, traits: [y], principalComponents: 0 });
  const { additive, residual } = varianceComponents(model);
  const share = additive / (additive + residual);
  const likelihood = (h2: number): number => profiledReml([rowsOf(kinship)], [h2], Array.from(y));
  const best = goldenSection(likelihood, 0, 0.99);
  expect(likelihood(share)).toBeGreaterThanOrEqual(best.value - 1e-9);
  const { logLikelihood } = denseReml([rowsOf(kinship)], [additive], residual, Array.from(y));
  expect(logLikelihood).toBeCloseTo(likelihood(share), 8);
});

test('nothing is left of a covariate, and of others what a projection leaves', () => {
  const { kinship, errors, y, covariate, columns } = individuals();
  const model = prepareGwas({ kinship, traits: [y], principalComponents: 0, covariates: covariate, errors });
  const shifted = matrixOf(N, 2, new Float64Array(2 * N));
  shifted.data.set(covariate.data.map((value) => 3 + 2 * value));
  shifted.data.set(columns.data.subarray(0, N), N);
  const { rows, data } = decorrelate(model, { additive: 2, residual: 1 }, shifted);
  expect(rows).toBe(N - 2);
  expect(Math.max(...data.slice(0, rows).map(Math.abs))).toBeLessThan(1e-12);
  expect(Math.max(...data.slice(rows).map(Math.abs))).toBeGreaterThan(0.1);
});
