import { expect, test } from 'vitest';
import { MarkerIds } from './marker-ids.ts';

function indexed(texts: (string | null)[]) {
  const ids = new MarkerIds();
  for (const text of texts) ids.push(text);
  const taken: [number, number, string][] = [];
  ids.index((marker, earlier, id) => taken.push([marker, earlier, id]));
  return { ids, taken };
}

test('every id stands at its marker, however many there are, and a repeated one names the first that has it', () => {
  const idOf = (i: number): string | null =>
    i % 7 === 0 ? null : i % 1001 === 1000 ? idOf(i - 999) : `marker-${'x'.repeat(i % 40)}${i}`;
  const texts = Array.from({ length: 50_000 }, (_, i) => idOf(i));
  const { ids, taken } = indexed(texts);
  expect(ids.length).toBe(50_000);
  const first = new Map<string, number>();
  const repeated: [number, number, string][] = [];
  for (const [i, text] of texts.entries()) {
    const earlier = text === null ? undefined : first.get(text);
    if (text !== null && earlier !== undefined) repeated.push([i, earlier, text]);
    else if (text !== null) first.set(text, i);
    expect(ids.at(i)).toBe(earlier === undefined ? text : null);
  }
  expect(repeated.length).toBeGreaterThan(20);
  expect(taken).toEqual(repeated);
});

test('a marker without an id can be given one that nobody has', () => {
  const { ids, taken } = indexed(['a', null, 'b', 'b', '']);
  expect(taken).toEqual([[3, 2, 'b']]);
  expect(ids.assign(1, 'b')).toBe(false);
  expect(ids.hasId(1)).toBe(false);
  expect(ids.assign(1, '1@77')).toBe(true);
  expect(ids.assign(3, '1@77')).toBe(false);
  expect(ids.assign(3, 'b_2')).toBe(true);
  expect([0, 1, 2, 3, 4].map((i) => ids.at(i))).toEqual(['a', '1@77', 'b', 'b_2', '']);
});

test('ids with the same hash, in any script and of any length are kept apart', () => {
  // The first four are two pairs of equal FNV-1a.
  const texts = ['costarring', 'liquid', 'declinate', 'macallums', 'Grüße', 'Grüß', '小麦', '😀', 'z'.repeat(50_000)];
  const { ids, taken } = indexed([...texts, ...texts]);
  for (const [i, text] of texts.entries()) {
    expect(ids.at(i)).toBe(text);
    expect(Buffer.from(ids.bytes.subarray(ids.startOf(i), ids.endOf(i))).toString()).toBe(text);
    expect(taken[i]).toEqual([texts.length + i, i, text]);
  }
});
