import { expect, test } from 'vitest';
import { groupedNumber } from './grouped-number.ts';

test('groups thousands and leaves small numbers alone', () => {
  expect([0, 7, 999, 1000, 37_492_825, 100_000, 1_000_000].map(groupedNumber)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '37,492,825',
    '100,000',
    '1,000,000',
  ]);
});
