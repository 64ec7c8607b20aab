import { expect, test } from 'vitest';
import { traitErrorCorrelation } from './trait-errors.ts';

test('errors of traits that were predicted together are correlated as G less the covariance of the values says', () => {
  // One record of each trait a line, lines not related: G = [4 3; 3 9], R = [6 −2; −2 3], V = [10 1; 1 12], and
  // var(ĝ) = GV⁻¹G = [177 204; 204 888]/119, so that var(g − ĝ) = [299 153; 153 183]/119.
  const predicted = Float64Array.of(177, 204, 204, 888).map((value) => value / 119);
  const errors = Float64Array.of(299 / 119, 183 / 119);
  const expected = 153 / Math.sqrt(299 * 183);
  expect(traitErrorCorrelation(Float64Array.of(4, 3, 3, 9), predicted, errors)[1]).toBeCloseTo(expected, 12);
  // Lines with a relationship of 2 with themselves: G is on the scale of half of it.
  const halved = traitErrorCorrelation(Float64Array.of(2, 1.5, 1.5, 4.5), predicted, errors);
  expect(Array.from(halved)).toEqual([1, expect.closeTo(expected, 12), expect.closeTo(expected, 12), 1]);
});
