import { expect, it } from 'vitest';
import { evaluatedOn } from './evaluated-on.ts';

type Row = Parameters<typeof evaluatedOn>[0];

const PARAMETERS = { thresh_maf: 0.05, thresh_callrate: 0.9, kinship: 'vanraden1' } as const;
const ROW: Row = {
  ...{ id: 'm1', genotype_id: 'g', phenotype_id: 'p', pedigree_id: null },
  ...{ n_fold: 5, n_repetition: 10, seed: 1, parameters: PARAMETERS },
};
const keyOf = (change: Partial<Row>, parameters: Partial<Row['parameters']> = {}): string =>
  evaluatedOn({ ...ROW, id: 'm2', ...change, parameters: { ...PARAMETERS, ...parameters } }).key;
const { key } = evaluatedOn(ROW);

it.each([
  ['markers', keyOf({}, { thresh_maf: 0.01, exclusions: { markers: ['m1'], min_maf: 0.1, duplicates: false } })],
  ['the kinship', keyOf({}, { kinship: 'standardized' })],
  ['weights', keyOf({}, { weights: 'se', standard_errors: ['se'] })],
])('compares models that differ in %s', (_, other) => expect(other).toBe(key));

it.each([
  ['the genotype', keyOf({ genotype_id: 'h' })],
  ['the pedigree', keyOf({ pedigree_id: 'x' })],
  ['a deleted file', keyOf({ phenotype_id: null })],
  ['the seed', keyOf({ seed: 2 })],
  ['the number of folds', keyOf({ n_fold: 10 })],
  ['the repetitions', keyOf({ n_repetition: 2 })],
  ['covariates', keyOf({}, { covariates: ['site'] })],
  ['principal components', keyOf({}, { fixed: 2 })],
  ['individuals', keyOf({}, { exclusions: { samples: ['B73'] } })],
  ['names', keyOf({}, { renames: [{ from: 'b', to: 'B73' }] })],
])('does not compare models that differ in %s', (_, other) => expect(other).not.toBe(key));

it('tells two models with deleted files apart, and needs no seed for groups that are left out', () => {
  const deleted = { genotype_id: null };
  expect(evaluatedOn({ ...ROW, ...deleted }).key).not.toBe(keyOf(deleted));
  const groups = { leave_out: 'family' };
  expect(keyOf({ seed: 1 }, groups)).toBe(keyOf({ seed: 2 }, groups));
  expect(keyOf({}, groups)).not.toBe(keyOf({}, { leave_out: 'origin' }));
});

it('names what it is made of', () => {
  const parameters = { ...PARAMETERS, covariates: ['site'], fixed: 2, leave_out: 'family' };
  expect(evaluatedOn({ ...ROW, parameters: { ...parameters, exclusions: { duplicates: true } } })).toMatchObject({
    ...{ seed: 1, leave_out: 'family', fixed_effects: ['site', 'PC1', 'PC2'], chosen_individuals: true },
  });
  expect(evaluatedOn(ROW)).toMatchObject({ leave_out: null, fixed_effects: [], chosen_individuals: false });
});
