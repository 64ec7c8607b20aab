import { expect, it } from 'vitest';
import { accuraciesByTrait } from './accuracy-dots.tsx';

it('takes the newest model of each trait, with the older ones beside it, in the order given', () => {
  const of = (trait: string, name: string) => ({
    trait,
    model: { id: name, name },
    r: 0.5,
    sd: 0.1,
    created_at: '2026-01-01T00:00:00Z',
  });
  const traits = accuraciesByTrait([of('Yield', 'second'), of('Yield', 'first'), of('dpoll', 'second')]);
  expect(
    traits.map(({ trait, newest, older }) => [trait, newest.model.name, older.map(({ model }) => model.name)]),
  ).toEqual([
    ['Yield', 'second', ['first']],
    ['dpoll', 'second', []],
  ]);
});
