import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberOf, readFieldNumber, readingsOf } from './field-number.ts';

test.each([
  ['0,5', 0.5],
  ['0,0644', 0.0644],
  ['-12,75', -12.75],
  [' 0,9 ', 0.9],
  ['\t3,25\t', 3.25],
  ['\u00a07\u202f', 7],
  ['0.123', 0.123],
  ['0,123', 0.123],
  ['1234,567', 1234.567],
  ['12,3456', 12.3456],
  ['1,23', 1.23],
  ['.5', 0.5],
  [',5', 0.5],
  ['2.', 2],
  ['2,', 2],
  ['1e-3', 0.001],
  ['2,5E+2', 250],
  ['+4', 4],
  ['−4,5', -4.5],
  ['０，５', 0.5],
  ['1000000', 1e6],
])('“%s” is the number %d', (text, number) => {
  expect(readFieldNumber(text)).toBe(number);
});

test.each([
  ['1.234', [1.234, 1234]],
  ['1,234', [1.234, 1234]],
  ['-12.500', [-12.5, -12500]],
  ['1 234,5', [1234.5]],
  ['1\u00a0234,5', [1234.5]],
  ['1\u202f234', [1234]],
  ["1'234.5", [1234.5]],
  ['1’234', [1234]],
  ['1.234.567', [1234567]],
  ['1,234,567.25', [1234567.25]],
  ['1.234,5', [1234.5]],
  ['1,234.5', [1234.5]],
])('“%s” is asked about: it may be %j', (text, numbers) => {
  const value = readFieldNumber(text);
  expect(value).toEqual({ text });
  expect(numberOf(value)).toBeNaN();
  expect(Number(value)).toBeNaN();
  expect(readingsOf(text)).toEqual(numbers);
});

test.each([
  'ten',
  '5 6',
  '1.2.3',
  '0,5,1',
  '1,23,456',
  '1 23',
  '12..5',
  '-',
  '.',
  '1e999',
  '0x10',
  '0.500.000',
  'Infinity',
])('“%s” is no number, and nothing is made of it', (text) => {
  expect(readFieldNumber(text)).toEqual({ text });
  expect(readingsOf(text)).toEqual([]);
});

test('among degrees three digits after a mark are decimals', () => {
  expect(readFieldNumber('54.323', false)).toBe(54.323);
  expect(readFieldNumber('-9,125', false)).toBe(-9.125);
  expect(readFieldNumber('1.234.567', false)).toEqual({ text: '1.234.567' });
});

test('an empty field is no zero', () => {
  for (const text of ['', '  ', '\u00a0']) expect(readFieldNumber(text)).toBe('');
  expect(numberOf('')).toBeNaN();
});

test('a number reads the same with a decimal comma and with a point, or is asked about with both', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.nat(8), (number, decimals) => {
      const point = number.toFixed(decimals);
      const comma = point.replace('.', ',');
      const value = readFieldNumber(comma);
      expect(typeof value).toBe(typeof readFieldNumber(point));
      expect(typeof value === 'number' ? value : readingsOf(comma)[0]).toBe(Number(point));
    }),
  );
});
