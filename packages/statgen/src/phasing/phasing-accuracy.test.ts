import { expect, test } from 'vitest';
import { phasingAccuracy } from './phasing-accuracy.test-data.ts';

const truth = { first: Uint8Array.of(0, 1, 0, 1, 1, 0), second: Uint8Array.of(1, 0, 0, 0, 0, 1) };

test('a right phasing has no errors, whichever homolog comes first', () => {
  const observed = Float64Array.of(1, 1, 0, 1, 1, 1);
  expect(phasingAccuracy(truth, { first: truth.second, second: truth.first }, observed)).toMatchObject({
    comparedPairs: 4,
    switchErrors: 0,
    changedCalls: 0,
  });
});

test('counts a switch between successive heterozygotes and leaves wrong genotypes out', () => {
  const phased = { first: Uint8Array.of(0, 1, 1, 0, 1, 1), second: Uint8Array.of(1, 0, 0, 1, 1, 0) };
  expect(phasingAccuracy(truth, phased, Float64Array.of(1, 1, 0, Number.NaN, Number.NaN, 1))).toEqual({
    comparedPairs: 3,
    switchErrors: 1,
    filledCalls: 2,
    filledRight: 1,
    filledAllelesRight: 3,
    changedCalls: 1,
  });
});
