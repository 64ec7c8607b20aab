import { expect, test } from 'vitest';
import { IdIndex } from './id-index.ts';

test('every id is found at its place, and no other, however many there are', () => {
  const ids: (string | null)[] = [];
  const index = new IdIndex(ids);
  for (let i = 0; i < 20_000; i++) {
    const id = i % 7 === 0 ? null : `M${i}`;
    ids.push(id);
    if (id !== null) index.add(id, i);
  }
  for (const [i, id] of ids.entries()) if (id !== null) expect(index.find(id)).toBe(i);
  expect(index.find('M0')).toBeUndefined();
  expect(index.find('')).toBeUndefined();
});

test('ids with the same hash are kept apart', () => {
  // Strings of equal FNV-1a (32 bits, UTF-16 units).
  const ids = ['costarring', 'liquid', 'declinate', 'macallums'];
  const index = new IdIndex(ids);
  for (const [i, id] of ids.entries()) index.add(id, i);
  expect(ids.map((id) => index.find(id))).toEqual([0, 1, 2, 3]);
});
