import { defineOptions } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { installBrowser } from '../../../testing/browser.ts';

// What the modules below need of a browser is read when they are loaded.
installBrowser();
const { excludedBy, optionBody, optionErrors, optionsKept, optionValues } = await import('./option-values.ts');

const OPTIONS = defineOptions({
  ...GWAS_OPTIONS,
  smallest_class: { kind: 'integer', min: 1, max: 500, about: 'An option of its own.', label: 'Smallest class' },
});
const t = ((key: string, range: object) => `${key} ${Object.values(range).join(' ')}`) as unknown as TFunction;

it('begins with the defaults, or with what an earlier run has', () => {
  expect(optionValues(OPTIONS)).toMatchObject({
    test: 'LRT',
    fixed: 0,
    loco: false,
    permutations: '',
    condition_on: [],
  });
  expect(optionValues(OPTIONS, { smallest_class: 5, loco: true })).toMatchObject({ smallest_class: 5, loco: true });
  expect(optionValues(OPTIONS)).not.toHaveProperty('seed');
  expect(optionsKept(OPTIONS, { seed: 7, fixed: 3 })).toEqual({ seed: 7 });
});

it('names the range at the field, and lets an option without default be empty', () => {
  const values = { ...optionValues(OPTIONS), smallest_class: 501, fixed: '' as const };
  expect(optionErrors(t, OPTIONS, values)).toEqual({
    smallest_class: 'form.wholeNumberBetween 1 500',
    fixed: 'form.wholeNumberBetween 0 100',
  });
  expect(optionErrors(t, OPTIONS, optionValues(OPTIONS))).toEqual({});
});

it('cannot use an option without what it needs, and says why', () => {
  const lines = { ...optionValues(OPTIONS), residual_lines: true };
  expect(excludedBy(OPTIONS, 'residual_lines', lines)?.hint).toMatch(/^Not available without standard errors/);
  expect(optionBody(OPTIONS, lines)).not.toHaveProperty('residual_lines');
  const withErrors = { ...lines, standard_errors: ['se'] };
  expect(excludedBy(OPTIONS, 'residual_lines', withErrors)).toBeUndefined();
  expect(optionBody(OPTIONS, withErrors)).toMatchObject({ residual_lines: true });
});

it('asks for what is filled in and goes together', () => {
  const values = { ...optionValues(OPTIONS), smallest_class: 5, stepwise: 3 };
  expect(optionBody(OPTIONS, values)).toMatchObject({ smallest_class: 5, stepwise: 3, loco: false, thresh_maf: 0.05 });
  expect(optionBody(OPTIONS, values)).not.toHaveProperty('permutations');
  expect(optionBody(OPTIONS, { ...values, loco: true })).not.toHaveProperty('stepwise');
  expect(optionErrors(t, OPTIONS, { ...values, loco: true, stepwise: 1000 })).toEqual({});
});
