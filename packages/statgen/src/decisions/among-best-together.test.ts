import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { normalUpperTail } from '../crossing/normal-distribution.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { amongBest } from './among-best.ts';
import { amongBestTogether } from './among-best-together.ts';
import { indexErrors } from './index-errors.ts';
import { orthantProbability } from './normal-orthant.ts';

/** n lines: errors that all share, that families of three share, and of their own. */
function families(n: number, own: number, ofFamily: number, ofAll: number): Matrix {
  const covariance = createMatrix(n, n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++)
      covariance.data[i + j * n] =
        ofAll + (Math.floor(i / 3) === Math.floor(j / 3) ? ofFamily : 0) + (i === j ? own : 0);
  return covariance;
}

test('what all errors share changes no probability, and two lines have the closed form', () => {
  const stream = createRandomStream(3);
  const values = Float64Array.from({ length: 30 }, () => stream.normal());
  const shared = amongBestTogether(values, families(30, 0.4, 0, 5), 6, 1);
  expect(shared.error).toBe(0);
  const alone = amongBest(values, new Float64Array(30).fill(0.4), 6);
  for (const [i, p] of alone.entries()) expect(shared.probabilities[i]).toBeCloseTo(p, 9);
  const two = createMatrix(2, 2);
  two.data.set([0.5, 0.3, 0.3, 0.4]);
  const { probabilities } = amongBestTogether(Float64Array.of(1, 0.6), two, 1, 1);
  expect(probabilities[0]).toBeCloseTo(normalUpperTail(-0.4 / Math.sqrt(0.9 - 0.6)), 7);
});

test('the best of three lines is an orthant of the differences', () => {
  const covariance = createMatrix(3, 3);
  covariance.data.set([1, 0.7, 0.1, 0.7, 1.2, -0.2, 0.1, -0.2, 0.6]);
  const values = Float64Array.of(0.3, 0.5, -0.1);
  const { probabilities, error } = amongBestTogether(values, covariance, 1, 1);
  expect(error).toBeLessThan(1e-3);
  const at = (i: number, j: number) => covariance.data[i + 3 * j];
  for (const i of [0, 1, 2]) {
    const [j, k] = [0, 1, 2].filter((one) => one !== i);
    const shared = (a: number, b: number) => at(i, i) - at(i, a) - at(i, b) + at(a, b);
    const differences = Float64Array.of(values[i] - values[j], values[i] - values[k]);
    const joint = Float64Array.of(shared(j, j), shared(j, k), shared(j, k), shared(k, k));
    expect(Math.abs(probabilities[i] - orthantProbability(differences, joint, 2).probability)).toBeLessThan(1e-3);
  }
});

test('correlated lines are among the best as often as in a simulation, in any unit, with unknown ones beside', () => {
  const stream = createRandomStream(11);
  const values = Float64Array.from({ length: 30 }, (_, i) => (i === 8 ? Number.NaN : stream.normal()));
  const covariance = families(30, 0.1, 0.8, 0.5);
  const found = amongBestTogether(values, covariance, 6, 1);
  expect(found.error).toBeLessThanOrEqual(1e-3);
  expect(found.error).toBeGreaterThan(0);
  expect(found.probabilities[8]).toBeNaN();
  const known = [...values.keys()].filter((i) => i !== 8);
  expect(known.reduce((sum, i) => sum + found.probabilities[i], 0)).toBeCloseTo(6, 2);
  const counts = new Float64Array(30);
  const draws = 100_000;
  for (let k = 0; k < draws; k++) {
    const ofFamily = Array.from({ length: 10 }, () => Math.sqrt(0.8) * stream.normal());
    const drawn = known.map((i) => values[i] + ofFamily[Math.floor(i / 3)] + Math.sqrt(0.1) * stream.normal());
    const last = drawn.toSorted((a, b) => b - a)[5];
    for (const [at, i] of known.entries()) if (drawn[at] >= last) counts[i]++;
  }
  // Three standard errors of the simulation and of the estimate.
  for (const i of known) expect(Math.abs(found.probabilities[i] - counts[i] / draws)).toBeLessThan(0.006);
  // Independent errors would say something else.
  const alone = amongBest(values, new Float64Array(30).fill(1.4), 6);
  expect(Math.max(...known.map((i) => Math.abs(alone[i] - found.probabilities[i])))).toBeGreaterThan(0.02);
  const grams = amongBestTogether(
    values.map((one) => 1000 * one),
    { ...covariance, data: covariance.data.map((one) => 1e6 * one) },
    6,
    1,
  );
  for (const i of known) expect(grams.probabilities[i]).toBeCloseTo(found.probabilities[i], 9);
});

test('errors of an index are those of its traits, and of traits whose errors are alike in kind', () => {
  const [first, second] = [families(6, 0.2, 0.5, 0.1), families(6, 0.8, 2, 0.4)];
  const copies = () => [first, second].map((one) => ({ ...one, data: one.data.slice() }));
  const alone = indexErrors(copies(), [2, -1], undefined);
  const together = indexErrors(copies(), [2, -1], Float64Array.of(1, 0.6, 0.6, 1));
  for (let k = 0; k < 36; k++) {
    expect(alone.data[k]).toBeCloseTo(4 * first.data[k] + second.data[k], 12);
    // The second covariance is four times the first: 4 + 4 − 2·2·2·0.6 of it.
    expect(Math.abs(together.data[k] - (8 - 8 * 0.6) * first.data[k])).toBeLessThan(1e-4);
  }
});
