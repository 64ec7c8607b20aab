import { expect, test } from 'vitest';
import { indexFormula } from './index-formula.ts';

test('an index is written with what a unit of each trait counts', () => {
  expect(indexFormula(['EarHT', 'dpoll', 'EarDia'], [-0.0166, 0, 0.154])).toBe('−0.0166 EarHT + 0.154 EarDia');
  expect(indexFormula(['yield', 'height'], [0.5, -2])).toBe('0.500 yield − 2.00 height');
});
