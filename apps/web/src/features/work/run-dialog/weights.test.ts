import { expect, test } from 'vitest';
import { weightChoice, weightValues } from './weights.ts';

const made = (...traits: string[]) => ({
  ...{ environment: null, size_bytes: 1, sha256: '' },
  traits: traits.map((trait) => ({ trait, lines: 9, standard_errors: `${trait} SE for weights` })),
});
const inputs = (availableTraits: string[], traits: string[], covariance: ReturnType<typeof made> | null = null) => ({
  ...{ availableTraits, traits, covariance },
});
const UNCHOSEN = { weights: '' as const, standard_errors: [] };

test('the best that the file has is proposed', () => {
  const columns = ['Yield', 'Yield SE for weights', 'Height', 'Height SE for weights'];
  const full = weightChoice(inputs(columns, ['Yield', 'Height'], made('Yield', 'Height')), UNCHOSEN);
  expect(full).toMatchObject({ weights: 'full', standard_errors: [], hasCovariance: true });
  const uploaded = weightChoice(inputs(['Yield', 'se_yield', 'Height'], ['Yield']), UNCHOSEN);
  expect(uploaded).toMatchObject({ weights: 'se', standard_errors: ['se_yield'], hasCovariance: false });
  expect(weightChoice(inputs(['Yield', 'Height'], ['Yield']), UNCHOSEN).weights).toBe('none');
  // A trait without its own leaves none for all.
  const lacking = inputs(['Yield', 'Yield SE', 'Height'], ['Yield', 'Height'], made('Yield'));
  expect(weightChoice(lacking, UNCHOSEN).weights).toBe('none');
});

test('what is chosen counts where the file has it, with the columns made for it', () => {
  const columns = ['Yield', 'Yield SE for weights', 'Other'];
  const of = (values: Parameters<typeof weightChoice>[1], covariance = made('Yield')) =>
    weightChoice(inputs(columns, ['Yield'], covariance), values);
  expect(of({ weights: 'se', standard_errors: [] }).standard_errors).toEqual(['Yield SE for weights']);
  expect(of({ weights: 'se', standard_errors: ['Other', 'Gone'] }).standard_errors).toEqual(['Other']);
  expect(of({ weights: 'none', standard_errors: ['Other'] })).toMatchObject({ weights: 'none', standard_errors: [] });
  expect(of({ weights: 'full', standard_errors: [] }, made('Height')).weights).toBe('se');
});

test('a run that is repeated keeps what it had, also nothing', () => {
  expect(weightValues(undefined).weights).toBe('');
  expect(weightValues({})).toEqual({ weights: 'none', standard_errors: [] });
  expect(weightValues({ standard_errors: ['SE'] })).toEqual({ weights: 'se', standard_errors: ['SE'] });
  expect(weightValues({ weights: 'full' }).weights).toBe('full');
});
