import type { MapFunction } from '@heterosis/statgen/crossing/map-function';
import { expect, test } from 'vitest';
import { MAX_PAIRWISE_WORK, requirePairwiseWork } from './pairwise-work.ts';

test('by Kosambi a run that would visit too many pairs of markers is refused with the crosses that fit', () => {
  const genome = { chromosomeStart: Int32Array.of(0, 2500, 5000) };
  const fits = Math.floor(MAX_PAIRWISE_WORK / (2500 * 2501) / 3);
  const ask = (crosses: number, mapFunction: MapFunction) => () =>
    requirePairwiseWork(genome, { mapFunction, crosses, traits: 3 });
  expect(ask(fits, 'kosambi')).not.toThrow();
  expect(ask(1e9, 'haldane')).not.toThrow();
  expect(ask(fits + 1, 'kosambi')).toThrow(
    expect.objectContaining({
      code: 'crossing/too-many-pairs',
      suggestion: `Use the Haldane map function, or at most ${fits.toLocaleString('en')} crosses in one run.`,
    }),
  );
});
