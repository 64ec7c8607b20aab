import { type ProjectTrait, UNSET_TRAIT } from '@heterosis/contracts/people/traits';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { rowOf, scaleError, scaleInWords, updateOf, withRead } from './trait-values.ts';

const t = ((key: string) => key) as unknown as TFunction;
const rust: ProjectTrait = {
  ...{ ...UNSET_TRAIT, name: 'rust', direction: 'lower', weight: 2, details: 'flag leaf', ontology_id: 'CO_900:1' },
  scale: {
    kind: 'categories',
    categories: [
      { value: '1', label: 'no = none' },
      { value: '9', label: null },
    ],
  },
};
const height: ProjectTrait = {
  ...{ ...UNSET_TRAIT, name: 'height', unit: 'cm' },
  scale: { kind: 'numeric', min: 20, max: null },
};

test('a trait comes out of the form as it went in', () => {
  for (const trait of [rust, height, { ...UNSET_TRAIT, name: 'note' }, { ...height, scale: { kind: 'date' } as const }])
    expect(updateOf(rowOf(trait))).toEqual(trait);
});

test('limits that cross, numbers that are none and categories without a line are named', () => {
  const { scale } = rowOf(height);
  expect(scaleError(t, scale)).toBeNull();
  expect(scaleError(t, { ...scale, max: 5 })).toMatch(/above/);
  expect(scaleError(t, { ...scale, max: { text: 'tall' } })).toBe('form.numberBetween');
  expect(scaleError(t, { ...scale, kind: 'categories', categories: ' \n' })).toMatch(/at least one/);
  expect(scaleError(t, { ...scale, kind: 'categories', categories: '1 = a\n1 = b' })).toMatch(/twice/);
});

test('values are said in a few words', () => {
  expect(scaleInWords(t, rowOf(height).scale)).toBe('20 – …');
  expect(scaleInWords(t, rowOf(rust).scale)).toBe('1, 9');
  expect(scaleInWords(t, rowOf({ ...UNSET_TRAIT, name: 'x' }).scale)).toBe('traits.scales.any');
});

test('a file without limits takes none away', () => {
  const bare = { name: 'height', unit: null, details: null, ontology_id: null };
  for (const scale of [null, { kind: 'numeric', min: null, max: null } as const])
    expect(withRead([rowOf(height)], [{ ...bare, scale }]).map(updateOf)).toEqual([height]);
});

test('traits of a file keep direction and weight of those that are there; new ones have no weight in the index', () => {
  const rows = withRead(
    [rowOf(rust)],
    [
      { name: 'rust', unit: '%', scale: { kind: 'integer', min: 0, max: 100 }, details: null, ontology_id: null },
      { name: 'new', unit: null, scale: null, details: 'how', ontology_id: 'CO_900:2' },
    ],
  );
  expect(rows.map(updateOf)).toEqual([
    { ...rust, unit: '%', scale: { kind: 'integer', min: 0, max: 100 } },
    { ...UNSET_TRAIT, name: 'new', weight: 0, details: 'how', ontology_id: 'CO_900:2' },
  ]);
});
