import { expect, test } from 'vitest';
import { createMatrix, type Matrix } from '../linear-algebra.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { decorrelate } from './decorrelate.ts';
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

test('values and markers without relationships and mean have covariance I', () => {
  const kinship = createMatrix(2, 2);
  kinship.data.set([1, 0.5, 0.5, 1]);
  const columns = createMatrix(2, 2);
  columns.data.set([1, 0, 0, 1]);
  const mean = createMatrix(2, 1);
  mean.data.fill(1);
  decorrelate(kinship, { additive: 2, residual: 1 }, columns, mean);
  // P of V = [[3, 1], [1, 3]] and the mean: [[1, −1], [−1, 1]]/4.
  const [a, b, c, d] = columns.data;
  expect(a! * a! + b! * b!).toBeCloseTo(0.25, 12);
  expect(a! * c! + b! * d!).toBeCloseTo(-0.25, 12);
});

test('nothing is left of a covariate, and of others what a projection leaves', () => {
  const n = 6;
  const kinship = createMatrix(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) kinship.data[i + j * n] = i === j ? 1 : 0.3;
  const x = createMatrix(n, 2);
  x.data.set([1, 1, 1, 1, 1, 1, 3, 1, 4, 1, 5, 9]);
  const columns = createMatrix(n, 2);
  columns.data.set([5, 3, 6, 3, 7, 11, 2, 7, 1, 8, 2, 8]);
  decorrelate(kinship, { additive: 2, residual: 1 }, columns, x);
  const [own, other] = [columns.data.slice(0, n), columns.data.slice(n)];
  // Two more than the covariate; the other one keeps something.
  expect(Math.max(...own.map(Math.abs))).toBeLessThan(1e-12);
  expect(Math.max(...other.map(Math.abs))).toBeGreaterThan(1);
});
