import { POPULATIONS } from '@heterosis/analysis/crossing/populations';
import { population } from '@heterosis/contracts/work/crossing-simulations';
import { expect, test } from 'vitest';

// The contracts import no other package; they hold what pages call each population, and which come first.
test('the populations that pages name are those that are computed', () => {
  expect(population.options).toEqual(POPULATIONS);
});
