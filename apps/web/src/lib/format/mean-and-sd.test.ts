import { expect, it } from 'vitest';
import { meanAndSd } from './mean-and-sd.ts';

it('divides the squares by n − 1, and gives no deviation of a single value', () => {
  expect(meanAndSd([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ mean: 5, sd: Math.sqrt(32 / 7) });
  expect(meanAndSd([3])).toEqual({ mean: 3, sd: null });
  expect(meanAndSd([])).toEqual({ mean: null, sd: null });
});
