import { expect, it } from 'vitest';
import { estimateSecondsLeft, shareDone } from './progress.ts';

it('guesses nothing in the first five seconds, then goes by the pace so far', () => {
  const progress = { done: 25, total: 100, startedAt: 1_000 };
  expect(estimateSecondsLeft(progress, 5_999)).toBeUndefined();
  expect(estimateSecondsLeft(progress, 11_000)).toBe(30);
});

it('guesses nothing before anything is done, and nothing when all is done', () => {
  expect(estimateSecondsLeft({ done: 0, total: 100, startedAt: 0 }, 60_000)).toBeUndefined();
  expect(estimateSecondsLeft({ done: 100, total: 100, startedAt: 0 }, 60_000)).toBeUndefined();
  expect(estimateSecondsLeft({ done: 1, total: 2, startedAt: undefined }, 60_000)).toBeUndefined();
});

it('keeps the share between nothing and all', () => {
  expect(shareDone(5, 0)).toBe(0);
  expect(shareDone(7, 5)).toBe(1);
});
