import { expect, test } from 'vitest';
import {
  decodeCursor,
  decodeIdCursor,
  decodeNameCursor,
  decodePlaceCursor,
  encodeCursor,
  toPage,
} from './pagination.ts';

test('a cursor gives back its key', () => {
  const key = ['2026-01-02T03:04:05.678Z', 7, null, 'ä'];
  expect(decodeCursor(encodeCursor(key), 4)).toEqual(key);
  expect(decodeCursor(undefined, 4)).toBeUndefined();
});

test('what is no cursor of this list is refused with a sentence', () => {
  for (const cursor of ['nonsense', encodeCursor(['one', 'two']), Buffer.from('{"a":1}').toString('base64url')])
    expect(() => decodeCursor(cursor, 1)).toThrow(/not one that this list gave out/);
  for (const id of ['drop table', '-'.repeat(36)])
    expect(() => decodeIdCursor(encodeCursor([id]))).toThrow(/not one that this list gave out/);
  const id = '01890000-0000-7000-8000-000000000001';
  for (const place of [1.5, -1, 1e20, 'x', null])
    expect(() => decodePlaceCursor(encodeCursor([place]))).toThrow(/not one that this list gave out/);
  expect(decodePlaceCursor(encodeCursor([7]))).toBe(7);
  expect(() => decodeNameCursor(encodeCursor(['\u0000', id]))).toThrow(/not one that this list gave out/);
});

test('the surplus row tells that there is a next page and is not part of this one', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const page = toPage(rows, 2, ({ id }) => [id]);
  expect(page.data).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(decodeCursor(page.next_cursor ?? undefined, 1)).toEqual(['b']);
  expect(toPage(rows, 3, ({ id }) => [id]).next_cursor).toBeNull();
  expect(toPage([] as { id: string }[], 3, ({ id }) => [id])).toEqual({ data: [], next_cursor: null });
});
