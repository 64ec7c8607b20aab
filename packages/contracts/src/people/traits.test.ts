import { expect, test } from 'vitest';
import { misfitOf, storedValue, type TraitScale, traitScale } from './traits.ts';

const height: TraitScale = { kind: 'numeric', min: 20, max: 300 };
const score: TraitScale = {
  kind: 'categories',
  categories: [
    { value: '1', label: 'resistant' },
    { value: '9', label: 'susceptible' },
  ],
};

test('a number has to lie within the limits of its trait, which belong to them', () => {
  for (const fits of ['20', ' 300 ', '1.5e2', '20.0', '+25.']) expect(misfitOf(height, fits), fits).toBeNull();
  expect(misfitOf(height, '19.9')).toBe('is below the lower limit 20');
  expect(misfitOf(height, '301')).toBe('is above the upper limit 300');
  for (const none of ['12,5', 'tall', '0x20', '1e999', 'NaN', ''])
    expect(misfitOf(height, none)).toBe('is not a number');
  expect(misfitOf({ ...height, max: null }, '1e6')).toBeNull();
  expect(misfitOf({ kind: 'integer', min: 0, max: null }, '2.5')).toBe('is not a whole number');
  expect(misfitOf({ kind: 'integer', min: 0, max: null }, '3.0')).toBeNull();
});

test('a category is named by its value or its label, and stored by its value', () => {
  expect(misfitOf(score, '1')).toBeNull();
  expect(misfitOf(score, 'susceptible')).toBeNull();
  expect(misfitOf(score, '5')).toBe('is none of 1, 9');
  expect(storedValue(score, ' susceptible ')).toBe('9');
  expect(storedValue(null, ' as typed ')).toBe('as typed');
});

test('a date is a day of the calendar; text and traits without a scale take everything', () => {
  expect(misfitOf({ kind: 'date' }, '2024-02-29')).toBeNull();
  expect(misfitOf({ kind: 'date' }, '2026-07-01T08:30:00+02:00')).toBeNull();
  for (const none of ['2026-02-29', '2026-13-01', '31.05.2026', '151'])
    expect(misfitOf({ kind: 'date' }, none), none).toMatch(/^is not a date/);
  for (const scale of [null, { kind: 'text' } as const]) expect(misfitOf(scale, 'anything')).toBeNull();
});

test('a scale is refused when its limits cross or a category is given twice or not at all', () => {
  expect(traitScale.safeParse({ kind: 'numeric', min: 5, max: 4 }).success).toBe(false);
  expect(traitScale.safeParse({ kind: 'categories', categories: [] }).success).toBe(false);
  const twice = [...(score.kind === 'categories' ? score.categories : []), { value: '1', label: null }];
  expect(traitScale.safeParse({ kind: 'categories', categories: twice }).success).toBe(false);
  expect(traitScale.safeParse(score).success).toBe(true);
});
