import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { numberError } from './form.ts';

const t = ((key: string, { min, max }: { min: string; max: string }) => `${key} ${min} ${max}`) as unknown as TFunction;

test('a number within its limits has no error', () => {
  for (const value of [0, 100, '7', ' 7 '])
    expect(numberError(t, value, { min: 0, max: 100, isWhole: true })).toBe(undefined);
  expect(numberError(t, '0.05', { min: 0, max: 0.5 })).toBe(undefined);
});

test('an empty field is not zero, and what is out of range or no whole number says what is wanted', () => {
  for (const value of ['', '  ', -1, 101, 1.5, '-', 'ten', Number.NaN, Number.POSITIVE_INFINITY])
    expect(numberError(t, value, { min: 0, max: 100, isWhole: true })).toBe('form.wholeNumberBetween 0 100');
  for (const value of ['', 0.51, -0.01])
    expect(numberError(t, value, { min: 0, max: 0.5 })).toBe('form.numberBetween 0 0.5');
  expect(numberError(t, '', { min: 1, max: 1e9 })).toBe('form.numberBetween 1 1,000,000,000');
});
