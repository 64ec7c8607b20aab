import { beforeEach, describe, expect, test } from 'vitest';
import { addToOutbox, markTried, outboxKey, readOutbox, settle, type TypedValue } from './outbox.ts';

const key = outboxKey('u', 't');
let kept: Map<string, string>;
const store = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
  removeItem: (name: string) => void kept.delete(name),
};
const typed = (id: string, plot: number, value: string): TypedValue => ({
  ...{ id, plot, value, trait: 'Yield' },
  observedAt: '2026-07-01T08:00:00.000Z',
  corrects: [],
});

beforeEach(() => {
  kept = new Map();
});

describe('values that wait for the server', () => {
  test('are kept until the server has stored them, and then gone', () => {
    addToOutbox(store, key, [typed('a', 1, '5'), typed('b', 2, '6')]);
    expect(readOutbox(store, key).map(({ id }) => id)).toEqual(['a', 'b']);
    settle(store, key, ['a'], new Map());
    expect(readOutbox(store, key).map(({ id }) => id)).toEqual(['b']);
    settle(store, key, ['b'], new Map());
    expect(kept.size).toBe(0);
  });

  test('are replaced by what is typed later in the same cell, also while the former is on its way', () => {
    addToOutbox(store, key, [typed('a', 1, '5')]);
    addToOutbox(store, key, [typed('b', 1, '7')]);
    settle(store, key, ['a'], new Map());
    expect(readOutbox(store, key)).toEqual([typed('b', 1, '7')]);
  });

  test('replace what was on its way, and not what was never sent', () => {
    addToOutbox(store, key, [{ ...typed('a', 1, '5'), corrects: ['stored'] }]);
    addToOutbox(store, key, [typed('b', 1, '6')]);
    expect(readOutbox(store, key)[0]?.corrects).toEqual(['stored']);
    expect(markTried(store, key, new Set(['b']))).toHaveLength(1);
    addToOutbox(store, key, [typed('c', 1, '7')]);
    expect(readOutbox(store, key)).toMatchObject([{ id: 'c', value: '7', corrects: ['stored', 'b'] }]);
  });

  test('stay with the reason when the server refuses them', () => {
    addToOutbox(store, key, [typed('a', 1, '500')]);
    settle(store, key, [], new Map([['a', 'is above the upper limit 30']]));
    expect(readOutbox(store, key)).toMatchObject([{ id: 'a', refused: 'is above the upper limit 30' }]);
  });

  test('are none where the store holds something else', () => {
    kept.set(key, '{"half":');
    expect(readOutbox(store, key)).toEqual([]);
  });
});
