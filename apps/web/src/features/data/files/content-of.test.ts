import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import common from '../../../../public/locales/en/common.json' with { type: 'json' };
import { contentOf } from './content-of.ts';

const texts = createInstance();
await texts.init({ lng: 'en', defaultNS: 'common', resources: { en: { common } } });

it.each([
  ['GENOTYPE', 281, 3_093, '281 samples × 3,093 markers'],
  ['PHENOTYPE', 301, 3, '301 lines × 3 traits'],
  ['PHENOTYPE', 40, 1, '40 lines × 1 trait'],
  ['CROSSING_TABLE', 1, 2, '1 cross, 2 parents'],
  ['CROSSING_TABLE', 28, 8, '28 crosses, 8 parents'],
  ['LINKAGE_MAP', 3_093, 10, '3,093 markers'],
  ['PEDIGREE', 40, 6, '40 individuals, 6 founders'],
] as const)('says what a file of the type %s holds in its own words', (file_type, row_count, column_count, words) => {
  expect(contentOf({ file_type, row_count, column_count }, texts.t)).toBe(words);
});
