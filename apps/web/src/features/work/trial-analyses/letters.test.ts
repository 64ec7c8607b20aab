import { expect, it } from 'vitest';
import { lettersOf } from './letters.ts';

it('gives means within the least significant difference a common letter, and others none', () => {
  expect(lettersOf([10, 9, 8, 5], 2)).toEqual([['a'], ['a'], ['a'], ['b']]);
  expect(lettersOf([10, 9, 8, 7], 2)).toEqual([['a'], ['a', 'b'], ['a', 'b'], ['b']]);
  expect(lettersOf([], 1)).toEqual([]);
});

it('says of every pair whether it differs', () => {
  const means = Array.from({ length: 40 }, (_, i) => Math.sin(i * 12.9898) * 3).sort((a, b) => b - a);
  const letters = lettersOf(means, 1.1) ?? [];
  for (const [i, one] of means.entries())
    for (const [j, other] of means.entries())
      expect(letters[i]?.some((letter) => letters[j]?.includes(letter))).toBe(Math.abs(one - other) <= 1.1);
});

it('gives no letters where there are more groups than letters', () => {
  expect(
    lettersOf(
      Array.from({ length: 60 }, (_, i) => -i),
      0.5,
    ),
  ).toBeUndefined();
});
