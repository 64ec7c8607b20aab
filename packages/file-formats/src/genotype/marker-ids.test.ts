import { expect, test } from 'vitest';
import { MarkerIds } from './marker-ids.ts';

test('every id is found at its marker, and no other, however many there are', () => {
  const ids = new MarkerIds();
  const idOf = (i: number) => (i % 7 === 0 ? null : `marker-${'x'.repeat(i % 40)}${i}`);
  for (let i = 0; i < 50_000; i++) expect(ids.push(idOf(i))).toBe(-1);
  expect(ids.length).toBe(50_000);
  for (let i = 0; i < 50_000; i++) {
    const id = idOf(i);
    expect(ids.at(i)).toBe(id);
    if (id !== null) expect(ids.has(id)).toBe(true);
  }
  expect(ids.has('marker-0')).toBe(false);
  expect(ids.has('')).toBe(false);
});

test('an id that is taken names the marker that has it, and leaves the new one without', () => {
  const ids = new MarkerIds();
  ids.push('a');
  ids.push(null);
  ids.push('b');
  expect(ids.push('b')).toBe(2);
  expect(ids.at(3)).toBeNull();
  ids.assign(3, 'b_2');
  ids.assign(1, '1@77');
  expect([0, 1, 2, 3].map((i) => ids.at(i))).toEqual(['a', '1@77', 'b', 'b_2']);
  expect(ids.push('1@77')).toBe(1);
});

test('ids with the same hash, in any script and of any length are kept apart', () => {
  // The first four are two pairs of equal FNV-1a.
  const texts = ['costarring', 'liquid', 'declinate', 'macallums', 'Grüße', 'Grüß', '小麦', '😀', 'z'.repeat(5000)];
  const ids = new MarkerIds();
  for (const text of texts) expect(ids.push(text)).toBe(-1);
  for (const [i, text] of texts.entries()) {
    expect(ids.at(i)).toBe(text);
    expect(Buffer.from(ids.bytes.subarray(ids.startOf(i), ids.endOf(i))).toString()).toBe(text);
    expect(ids.push(text)).toBe(i);
  }
});
