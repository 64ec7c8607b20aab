import { expect, test } from 'vitest';
import { createRandomStream, RandomStream } from './random-stream.ts';

test('equals the published xoshiro128++ sequence for the state 1, 2, 3, 4', () => {
  const stream = new RandomStream(1, 2, 3, 4);
  // First outputs of the C reference implementation from that state (also the test vector of the Rust crate
  // rand_xoshiro).
  const expected = [
    641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
  ];
  expect(expected.map(() => stream.uint32())).toEqual(expected);
});

test('the same seed and keys repeat the same numbers and other keys give others', () => {
  const draw = (...keys: (number | string)[]) => {
    const stream = createRandomStream(7, ...keys);
    return Array.from({ length: 4 }, () => stream.uniform());
  };
  expect(draw('folds', 1)).toEqual(draw('folds', 1));
  expect(draw('folds', 1)).not.toEqual(draw('folds', 2));
  expect(draw('a', 'bc')).not.toEqual(draw('ab', 'c'));
});

test('uniform, normal and Poisson numbers have the moments of their distributions', () => {
  const stream = createRandomStream(20_250_101n);
  const draws = 200_000;
  const moments = (next: () => number) => {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < draws; i++) {
      const value = next();
      sum += value;
      squares += value * value;
    }
    const mean = sum / draws;
    return { mean, variance: squares / draws - mean * mean };
  };
  // Five standard errors of a mean, about eight of a variance: the seed is fixed, so a failure means that the code is
  // wrong.
  const check = (actual: { mean: number; variance: number }, mean: number, variance: number) => {
    expect(Math.abs(actual.mean - mean)).toBeLessThan(5 * Math.sqrt(variance / draws));
    expect(Math.abs(actual.variance / variance - 1)).toBeLessThan(0.025);
  };
  check(
    moments(() => stream.uniform()),
    0.5,
    1 / 12,
  );
  check(
    moments(() => stream.normal()),
    0,
    1,
  );
  check(
    moments(() => stream.poisson(1.3)),
    1.3,
    1.3,
  );
  check(
    moments(() => stream.poisson(40)),
    40,
    40,
  );
  expect(stream.poisson(0)).toBe(0);
});

test('every value of a random integer and every order of a shuffle is equally likely', () => {
  const stream = createRandomStream(3);
  const counts = new Float64Array(6);
  const orders = new Map<string, number>();
  const draws = 60_000;
  for (let i = 0; i < draws; i++) {
    counts[stream.nextInt(6)] += 1;
    const order = stream.shuffle(['a', 'b', 'c']).join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  expect(orders.size).toBe(6);
  for (const count of [...counts, ...orders.values()]) {
    expect(Math.abs(count - draws / 6)).toBeLessThan(5 * Math.sqrt(draws / 6));
  }
});

test('refuses what has no meaning', () => {
  const stream = createRandomStream(1);
  expect(() => stream.nextInt(0)).toThrow(RangeError);
  expect(() => stream.poisson(-1)).toThrow(RangeError);
  expect(() => createRandomStream(Number.NaN)).toThrow(RangeError);
});
