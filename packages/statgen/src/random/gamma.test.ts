import { expect, test } from 'vitest';
import { betaDeviate, chiSquareDeviate, gammaDeviate } from './gamma.ts';
import { createRandomStream } from './random-stream.ts';

const DRAWS = 40_000;

/** Differences of mean and variance from those of the distribution, in standard errors. */
function errorsOf(draw: () => number, mean: number, variance: number): number[] {
  const values = Float64Array.from({ length: DRAWS }, draw);
  const squares = values.map((value) => (value - mean) ** 2);
  const meanOf = (of: Float64Array) => of.reduce((sum, value) => sum + value, 0) / DRAWS;
  const spread = meanOf(squares.map((square) => (square - variance) ** 2));
  return [
    (meanOf(values) - mean) / Math.sqrt(variance / DRAWS),
    (meanOf(squares) - variance) / Math.sqrt(spread / DRAWS),
  ];
}

test.for([0.3, 1, 2.5, 300])('a gamma variable of shape %s has its mean and variance', (shape) => {
  const random = createRandomStream(1, shape);
  for (const error of errorsOf(() => gammaDeviate(random, shape), shape, shape))
    expect(Math.abs(error)).toBeLessThan(4);
});

test.for([1, 5, 6, 12, 13, 4.5])('a χ² variable with %s degrees of freedom has its mean and variance', (degrees) => {
  const random = createRandomStream(2, degrees);
  const errors = errorsOf(() => chiSquareDeviate(random, degrees), degrees, 2 * degrees);
  for (const error of errors) expect(Math.abs(error)).toBeLessThan(4);
});

test('a beta variable has its mean and variance', () => {
  const random = createRandomStream(3);
  const errors = errorsOf(() => betaDeviate(random, 2, 6), 0.25, (2 * 6) / (64 * 9));
  for (const error of errors) expect(Math.abs(error)).toBeLessThan(4);
  expect(() => gammaDeviate(random, 0)).toThrow(RangeError);
});
