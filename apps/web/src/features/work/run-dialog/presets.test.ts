import { GWAS_OPTIONS, GWAS_PRESETS } from '@heterosis/contracts/options/gwas';
import { MODEL_OPTIONS, MODEL_PRESETS } from '@heterosis/contracts/options/models';
import { expect, it } from 'vitest';
import { installBrowser } from '../../../testing/browser.ts';

// What the modules below need of a browser is read when they are loaded.
installBrowser();
const { optionBody, optionValues } = await import('./option-values.ts');
const { BEGUN, differingFrom, presetOf, presetValues } = await import('./presets.ts');

const begun = optionValues(GWAS_OPTIONS);
const values = presetValues(GWAS_OPTIONS, GWAS_PRESETS, begun);

it('holds until an option differs, and again when it is put back', () => {
  expect(presetOf(values, begun)).toBe(BEGUN);
  const published = { ...begun, ...values['publication'] };
  expect(presetOf(values, published)).toBe('publication');
  expect(presetOf(values, { ...published, permutations: 500 })).toBeUndefined();
  expect(differingFrom(values['publication'] ?? {}, { ...published, permutations: 500 })).toEqual(['permutations']);
  // Options that no preset decides change none.
  expect(presetOf(values, { ...published, fixed: 3 })).toBe('publication');
  expect(presetOf(values, { ...published, ...values[BEGUN] })).toBe(BEGUN);
});

it('asks for what it says', () => {
  expect(optionBody(GWAS_OPTIONS, { ...begun, stepwise: 5, ...values['publication'] })).toMatchObject({
    ...{ test: 'LRT', loco: true, permutations: 1000 },
  });
  const quick = optionBody(GWAS_OPTIONS, { ...begun, permutations: 1000, loco: true, ...values['quick'] });
  expect(quick).toMatchObject({ test: 'SCORE', loco: false });
  expect(quick).not.toHaveProperty('permutations');
});

it('takes no limit for an empty field', () => {
  const model = optionValues(MODEL_OPTIONS);
  const { publication } = presetValues(MODEL_OPTIONS, MODEL_PRESETS, model);
  expect(publication).toMatchObject({ n_repetition: 50, optimize_time: '' });
  expect(optionBody(MODEL_OPTIONS, { ...model, ...publication })).toMatchObject({
    ...{ n_fold: 5, n_repetition: 50, optimize_time: null },
  });
});

it('begins with what a run has that is repeated', () => {
  const repeated = optionValues(GWAS_OPTIONS, { test: 'WALD', stepwise: 7 });
  const own = presetValues(GWAS_OPTIONS, GWAS_PRESETS, repeated);
  expect(presetOf(own, repeated)).toBe(BEGUN);
  expect(own[BEGUN]).toEqual({ test: 'WALD', loco: false, permutations: '', stepwise: 7 });
  expect(presetOf(own, optionValues(GWAS_OPTIONS))).toBeUndefined();
});
