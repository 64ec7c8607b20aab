import { expect, test } from 'vitest';
import { itemAfterKey } from './row-keys.ts';

const items = (['group', 'row', 'row', 'group', 'row'] as const).map((kind) => ({ kind }));

test('arrow keys lead from row to row over the heads of groups, and not beyond the ends', () => {
  expect(itemAfterKey('ArrowDown', 1, items)).toBe(2);
  expect(itemAfterKey('ArrowDown', 2, items)).toBe(4);
  expect(itemAfterKey('ArrowDown', 4, items)).toBeUndefined();
  expect(itemAfterKey('ArrowUp', 4, items)).toBe(2);
  expect(itemAfterKey('ArrowUp', 1, items)).toBeUndefined();
});

test('Home and End lead to the first and the last row, other keys nowhere', () => {
  expect([itemAfterKey('Home', 4, items), itemAfterKey('End', 1, items)]).toEqual([1, 4]);
  expect(itemAfterKey('a', 1, items)).toBeUndefined();
  expect(itemAfterKey('Home', 0, [])).toBeUndefined();
});
