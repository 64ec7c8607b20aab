import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenAgain } from './given-again.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a link is signed once in five minutes, for all who ask at the same time', async () => {
  let signed = 0;
  const link = givenAgain(async (key: string) => `${key}?${++signed}`);
  expect(await Promise.all([link('a'), link('a')])).toEqual(['a?1', 'a?1']);
  vi.advanceTimersByTime(4 * MINUTE_MS);
  expect(await link('a')).toBe('a?1');
  // From when it was signed, not from when it was last asked for.
  vi.advanceTimersByTime(2 * MINUTE_MS);
  expect(await link('a')).toBe('a?2');
});

test('another key, name, way to show it or address of the server has a link of its own', async () => {
  let signed = 0;
  const link = givenAgain(async (..._of: [string, string, { fileName: string; inline?: boolean }]) => `${++signed}`);
  const links = await Promise.all([
    link('http://a', 'k/1', { fileName: 'a.csv' }),
    link('http://b', 'k/1', { fileName: 'a.csv' }),
    link('http://a', 'k/2', { fileName: 'a.csv' }),
    link('http://a', 'k/1', { fileName: 'b.csv' }),
    link('http://a', 'k/1', { fileName: 'a.csv', inline: true }),
  ]);
  expect(new Set(links).size).toBe(5);
});

test('a link that could not be signed is asked for again', async () => {
  let asked = 0;
  const link = givenAgain(async (key: string) => {
    if (++asked === 1) throw new Error('no credentials');
    return key;
  });
  await expect(link('a')).rejects.toThrow('no credentials');
  expect(await link('a')).toBe('a');
});
