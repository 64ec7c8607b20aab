import { expect, test } from 'vitest';
import { isMissingWord, suspectNumbers } from './missing-codes.ts';

/** Values that recur as those of a seeded generator do. */
function drawn(n: number, draw: (uniform: () => number) => number, seed = 7): Float64Array {
  let state = seed;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Float64Array.from({ length: n }, () => draw(uniform));
}
/** Near to normal: the sum of twelve uniforms, with one decimal. */
const normal = (mean: number, sd: number) => (uniform: () => number) => {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += uniform();
  return Math.round((mean + sd * sum) * 10) / 10;
};
const poisson = (uniform: () => number, mean: number): number => {
  let count = 0;
  for (let p = uniform(); p > Math.exp(-mean); p *= uniform()) count++;
  return count;
};

const TRAITS: Record<string, Float64Array> = {
  'yield near 60': drawn(300, normal(61, 8)),
  'yield near 1,000': drawn(300, normal(1000, 120)),
  'flowering days': drawn(200, (u) => Math.round(normal(66, 4)(u))),
  'scores 1 to 9': drawn(200, (u) => 1 + Math.floor(9 * u())),
  'scores with a rare 9': drawn(200, (u) => (u() < 0.03 ? 9 : 1 + poisson(u, 0.6))),
  'a scale from -1 to 1': drawn(200, (u) => Math.floor(3 * u()) - 1),
  'absent or present': drawn(200, (u) => Math.round(u())),
  'zero-inflated counts': drawn(300, (u) => (u() < 0.7 ? 0 : poisson(u, 4))),
  'counts per plot': drawn(300, (u) => poisson(u, 6)),
  'percentages, often 0': drawn(300, (u) => (u() < 0.5 ? 0 : Math.round(60 + 40 * u()))),
  'percentages up to 99': drawn(300, (u) => Math.floor(100 * u())),
  differences: drawn(300, normal(0, 2)),
};

test.each(Object.keys(TRAITS))('nothing is suspected in %s', (name) => {
  expect(suspectNumbers(TRAITS[name] as Float64Array)).toEqual([]);
});

const planted = (name: string, code: number, count: number): number[] => {
  const values = Float64Array.from(TRAITS[name] as Float64Array);
  for (let i = 0; i < count; i++) values[5 + 3 * i] = code;
  return suspectNumbers(values).map((one) => one.code);
};

test.each([
  ['yield near 60', -9, 34],
  ['yield near 60', -9, 1],
  ['yield near 60', -1, 12],
  ['yield near 60', 999, 1],
  ['yield near 60', 0, 5],
  ['flowering days', -99, 3],
  ['flowering days', 0, 4],
  ['scores 1 to 9', 99, 2],
  ['scores 1 to 9', -9, 2],
  ['counts per plot', -1, 4],
  ['zero-inflated counts', 9999, 1],
  ['percentages, often 0', -9, 2],
  ['percentages up to 99', 999, 2],
  ['yield near 1,000', -99.9, 2],
  ['differences', -999, 1],
  ['differences', -99, 2],
])('in %s, %d that occurs %d times is suspected', (name, code, count) => {
  expect(planted(name, code, count)).toEqual([code]);
});

test.each([
  ['yield near 1,000', 999, 5],
  ['percentages up to 99', 99, 5],
  ['zero-inflated counts', 0, 20],
  ['differences', -2.2, 5],
])('in %s, %d that occurs %d times is a value', (name, code, count) => {
  expect(planted(name, code, count)).toEqual([]);
});

test('two codes do not hide each other, nor a typing error both', () => {
  const values = Float64Array.from(TRAITS['yield near 60'] as Float64Array);
  for (let i = 0; i < 5; i++) values[2 * i] = i % 2 ? -9 : 9999;
  values[100] = -4.5;
  const found = suspectNumbers(values);
  expect(found.map(({ code, count, row }) => [code, count, row])).toEqual([
    [-9, 2, 2],
    [9999, 3, 0],
  ]);
});

test('a column of nothing but -9 is suspected, an empty one is not', () => {
  expect(suspectNumbers(new Float64Array(20).fill(-9))).toEqual([{ code: -9, count: 20, row: 0 }]);
  expect(suspectNumbers(new Float64Array(20).fill(Number.NaN))).toEqual([]);
});

test('words that say "missing", however they are pointed', () => {
  expect(['*', 'n.b.', 'N. B.', 'n.d.', 'k.A.', 'n/d', '#DIV/0!', 'fehlt'].every(isMissingWord)).toBe(true);
  expect(['red', 'A', '3 t', 'Nord', ''].some(isMissingWord)).toBe(false);
});
