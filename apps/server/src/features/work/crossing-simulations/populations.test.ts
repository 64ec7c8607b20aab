import { readFileSync } from 'node:fs';
import { POPULATIONS } from '@heterosis/analysis/crossing/populations';
import { population } from '@heterosis/contracts/work/crossing-simulations';
import { expect, test } from 'vitest';

// The contracts import no other package, so they repeat the list, which the page uses.
test('the populations of the contracts are those that are computed, and the page has a name for each', () => {
  expect(population.options).toEqual(POPULATIONS);
  const texts = new URL('../../../../../web/public/locales/en/common.json', import.meta.url);
  const { crossing_simulations: section } = JSON.parse(readFileSync(texts, 'utf8'));
  expect(Object.keys(section.populations)).toEqual(POPULATIONS);
});
