import { expect, test } from 'vitest';
import { normalUpperTail } from '../crossing/normal-distribution.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { amongBest } from './among-best.ts';
import { beatsInEveryTrait, beatsInTrait, beatsOnIndex, type PredictedPair } from './beats-check.ts';
import { orthantProbability } from './normal-orthant.ts';
import { outcomeOf } from './outcome.ts';
import { setDiversity } from './set-diversity.ts';

const row = (...values: number[]) => Float64Array.from(values);
/** Correlation matrix of equal correlations. */
const equal = (size: number, r: number) =>
  Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : r));

test('the probability of an orthant equals its closed forms within the error that it states', () => {
  // Sheppard (1899): ¼ + asin(r)/2π; for three, ⅛ + Σ asin(r)/4π.
  for (const r of [-0.9, -0.3, 0.2, 0.5, 0.95]) {
    const two = orthantProbability(row(0, 0), equal(2, r), 1);
    expect(Math.abs(two.probability - (0.25 + Math.asin(r) / (2 * Math.PI)))).toBeLessThan(two.error + 1e-9);
    expect(two.error).toBeLessThan(1e-3);
  }
  const r = [0.3, -0.4, 0.6];
  const three = row(1, r[0], r[1], r[0], 1, r[2], r[1], r[2], 1);
  const found = orthantProbability(row(0, 0, 0), three, 1);
  const exact = 0.125 + r.reduce((sum, one) => sum + Math.asin(one), 0) / (4 * Math.PI);
  expect(Math.abs(found.probability - exact)).toBeLessThan(1e-3);
  // Equal correlations of ½: 1/(T + 1) (Steck 1962).
  for (const size of [4, 8])
    expect(orthantProbability(new Float64Array(size), equal(size, 0.5), 3).probability).toBeCloseTo(1 / (size + 1), 3);
  // Perfectly correlated elements are one, contrary ones exclude each other, and what is certain drops out.
  expect(orthantProbability(row(0.7, 0.2), equal(2, 1), 1).probability).toBeCloseTo(0.57926, 6);
  expect(orthantProbability(row(0.2, -0.3), equal(2, -1), 1).probability).toBe(0);
  expect(orthantProbability(row(0.2, 1), row(1, 0, 0, 0), 1)).toEqual({ probability: 0.579259709439103, error: 0 });
  expect(() => orthantProbability(row(0, 0), row(1, 2, 2, 1), 1)).toThrow(/positive semidefinite/);
});

test('a line beats the check as often as in a simulation, in a trait, on the index and in every trait', () => {
  const pair: PredictedPair = {
    ...{ line: row(6.1, 88, 0.4), check: row(5.6, 90, 0.5), linePev: row(0.3, 9, 0.02), checkPev: row(0.1, 4, 0.01) },
    ...{ covariance: row(0.05, 1, 0.004), errorCorrelation: row(1, 0.5, -0.2, 0.5, 1, 0.1, -0.2, 0.1, 1) },
  };
  const sds = [0, 1, 2].map((t) => Math.sqrt(pair.linePev[t] + pair.checkPev[t] - 2 * (pair.covariance?.[t] ?? 0)));
  const directions = [1, -1, 1];
  const weights = row(2, -0.1, 5);
  const stream = createRandomStream(5);
  const draws = 400_000;
  let [first, index, every] = [0, 0, 0];
  // Factor of the correlation by hand.
  const c = Math.sqrt(1 - 0.25);
  const e = (0.1 - -0.2 * 0.5) / c;
  const f = Math.sqrt(1 - 0.04 - e * e);
  for (let k = 0; k < draws; k++) {
    const [a, b, d] = [stream.normal(), stream.normal(), stream.normal()];
    const z = [a, 0.5 * a + c * b, -0.2 * a + e * b + f * d];
    const better = z.map((one, t) => pair.line[t] - pair.check[t] + sds[t] * one);
    if (better[0] > 0) first++;
    if (better.reduce((sum, one, t) => sum + weights[t] * one, 0) > 0) index++;
    if (better.every((one, t) => one * directions[t] > 0)) every++;
  }
  // Three standard errors of 400,000 draws.
  const near = (actual: number, count: number) => expect(Math.abs(actual - count / draws)).toBeLessThan(0.0024);
  near(beatsInTrait(pair, 0, 1), first);
  near(beatsOnIndex(pair, weights), index);
  const all = beatsInEveryTrait(pair, Int8Array.from(directions), 7);
  near(all.probability, every);
  expect(all.error).toBeLessThan(1e-3);
  expect(beatsInEveryTrait(pair, Int8Array.from(directions), 7)).toEqual(all);
});

test('units change no probability, and neither do traits that do not count', () => {
  const pair: PredictedPair = {
    ...{ line: row(6.1, 88), check: row(5.6, 90), linePev: row(0.3, 9), checkPev: row(0.1, 4) },
    errorCorrelation: row(1, 0.5, 0.5, 1),
  };
  const by = [10, 0.453];
  const scaled = (values: Float64Array, power = 1) => values.map((value, t) => value * by[t] ** power);
  const other: PredictedPair = {
    ...{ line: scaled(pair.line), check: scaled(pair.check), errorCorrelation: pair.errorCorrelation },
    ...{ linePev: scaled(pair.linePev, 2), checkPev: scaled(pair.checkPev, 2) },
  };
  const both = Int8Array.of(1, -1);
  expect(beatsInEveryTrait(other, both, 2).probability).toBeCloseTo(beatsInEveryTrait(pair, both, 2).probability, 12);
  expect(beatsOnIndex(other, row(2 / 10, -0.1 / 0.453))).toBeCloseTo(beatsOnIndex(pair, row(2, -0.1)), 12);
  expect(beatsInTrait(other, 0, 1)).toBeCloseTo(beatsInTrait(pair, 0, 1), 12);
  expect(beatsInEveryTrait(pair, Int8Array.of(1, 0), 2)).toEqual({ probability: beatsInTrait(pair, 0, 1), error: 0 });
  expect(beatsInTrait({ ...pair, line: row(Number.NaN, 88) }, 0, 1)).toBeNaN();
});

test('lines are among the best as often as in closed form and in a simulation', () => {
  // Equal lines share the places; the better of two is the first with Φ(d/√(v₁ + v₂)).
  expect([...amongBest(new Float64Array(7).fill(3), new Float64Array(7).fill(0.4), 3)].map((p) => p * 7)).toEqual(
    Array.from({ length: 7 }, () => expect.closeTo(3, 6)),
  );
  const two = amongBest(row(1, 0.2), row(0.5, 0.1), 1);
  expect(two[0]).toBeCloseTo(normalUpperTail(-0.8 / Math.sqrt(0.6)), 7);
  expect(two[0] + two[1]).toBeCloseTo(1, 6);
  const stream = createRandomStream(11);
  const values = Float64Array.from({ length: 30 }, () => stream.normal());
  const variances = Float64Array.from({ length: 30 }, (_, i) => (i === 4 ? 0 : 0.05 + stream.uniform()));
  const found = amongBest(values, variances, 6);
  expect(found.reduce((sum, one) => sum + one, 0)).toBeCloseTo(6, 4);
  const counts = new Float64Array(30);
  const draws = 100_000;
  for (let k = 0; k < draws; k++) {
    const drawn = values.map((value, i) => value + Math.sqrt(variances[i]) * stream.normal());
    const last = drawn.slice().sort()[24];
    for (let i = 0; i < 30; i++) if (drawn[i] >= last) counts[i]++;
  }
  // Some three standard errors.
  for (const [i, p] of found.entries()) expect(Math.abs(p - counts[i] / draws)).toBeLessThan(0.005);
  const kilograms = amongBest(
    values.map((one) => 1000 * one),
    variances.map((one) => 1e6 * one),
    6,
  );
  for (const [i, p] of found.entries()) expect(kilograms[i]).toBeCloseTo(p, 9);
});

test('lines without error, without value, or fewer than the places have the probabilities that follow', () => {
  expect([...amongBest(row(3, 1, 2, 2), new Float64Array(4), 2)]).toEqual([1, 0, 0.5, 0.5]);
  expect([...amongBest(row(3, Number.NaN, 2), row(1, 1, 1), 2)]).toEqual([1, Number.NaN, 1]);
  expect(() => amongBest(row(1, 2), row(1, 1), 0)).toThrow(/best lines/);
});

test('diversity of a set counts relatives and families', () => {
  const unrelated = { at: (i: number, j: number) => (i === j ? 1 : 0) };
  expect(setDiversity(['a', 'a', 'b', null], unrelated)).toEqual({
    ...{ coancestry: 0.125, statusNumber: 4, families: 3, effectiveFamilies: 1 / 0.375 },
  });
  const full = { at: () => 1 };
  expect(setDiversity(['a', 'a'], full)).toMatchObject({ coancestry: 0.5, statusNumber: 1, effectiveFamilies: 1 });
  // Lines of no known family are not many families.
  const nothing = { coancestry: null, statusNumber: null, families: null, effectiveFamilies: null };
  expect(setDiversity([null, null])).toEqual(nothing);
  expect(setDiversity([])).toEqual(nothing);
});

test('the outcome names the gain, the accuracy and what is regretted', () => {
  const line = (isAdvanced: boolean, predicted: number, since: number) => ({ isAdvanced, predicted, since });
  const lines = [line(true, 3, 2), line(true, 2, 4), line(false, 1, 3), line(false, 0, 1), line(false, 0, Number.NaN)];
  const outcome = outcomeOf(lines, 2.5);
  expect(outcome).toMatchObject({ advanced: 2, others: 2, expectedGain: 1, realizedGain: 0.5, regretted: [2] });
  expect(outcome.regret).toBe(0.5);
  expect(outcome.accuracy).toBeCloseTo(0.4, 12);
  expect(outcomeOf(lines.slice(0, 2), Number.NaN)).toMatchObject({ realizedGain: null, regret: null, regretted: [] });
});
