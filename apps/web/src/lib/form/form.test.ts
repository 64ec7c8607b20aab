import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { readFieldNumber } from './field-number.ts';
import { numberError, numbersMeant } from './form.ts';

const t = ((key: string, { min = '', max = '' }: { min?: string; max?: string } = {}) =>
  `${key} ${min} ${max}`) as unknown as TFunction;

test('a number within its limits has no error', () => {
  for (const value of [0, 100, 7]) expect(numberError(t, value, { min: 0, max: 100, isWhole: true })).toBe(undefined);
  expect(numberError(t, 0.05, { min: 0, max: 0.5 })).toBe(undefined);
});

test('an empty field is not zero, and what is out of range or no whole number says what is wanted', () => {
  for (const value of ['', -1, 101, 1.5, '-', 'ten', Number.NaN, Number.POSITIVE_INFINITY])
    expect(
      numberError(t, typeof value === 'string' ? readFieldNumber(value) : value, { min: 0, max: 100, isWhole: true }),
    ).toBe('form.wholeNumberBetween 0 100');
  for (const value of ['' as const, 0.51, -0.01])
    expect(numberError(t, value, { min: 0, max: 0.5 })).toBe('form.numberBetween 0 0.5');
  expect(numberError(t, '', { min: 1, max: 1e9 })).toBe('form.numberBetween 1 1,000,000,000');
});

test('separators of thousands are asked about, among what the field takes', () => {
  const weight = { min: -1e12, max: 1e12 };
  expect(numbersMeant(readFieldNumber('1.234'), weight)).toEqual([1.234, 1234]);
  expect(numberError(t, readFieldNumber('1.234'), weight)).toMatch('form.whichNumberIsMeant');
  const count = { min: 1, max: 100_000, isWhole: true };
  expect(numbersMeant(readFieldNumber('1,234'), count)).toEqual([1234]);
  expect(numberError(t, readFieldNumber('1,234'), count)).toMatch('form.isNumberMeant');
  const share = { min: 0, max: 1 };
  expect(numbersMeant(readFieldNumber('1.234'), share)).toEqual([]);
  expect(numberError(t, readFieldNumber('1.234'), share)).toBe('form.numberBetween 0 1');
});
