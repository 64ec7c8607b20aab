import { expect, test } from 'vitest';
import { canonicalNames } from './canonical-names.ts';

const catalogue = {
  names: ['B73', 'Mo17', 'Naspot 8', 'Naspot-8'],
  synonyms: [['missouri-17', 'Mo17']] as [string, string][],
};

test('synonyms and other spellings are renamed; ambiguous and unknown names stay', () => {
  expect(canonicalNames(['b-73', 'missouri-17', 'NASPOT8', 'Ki3', 'Naspot 8'], catalogue)).toEqual({
    renames: [
      { from: 'b-73', to: 'B73', how: 'folded' },
      { from: 'missouri-17', to: 'Mo17', how: 'synonym' },
    ],
    canonical: 1,
    ambiguous: [{ name: 'NASPOT8', candidates: ['Naspot 8', 'Naspot-8'] }],
    unknown: ['Ki3'],
    clashes: [],
  });
});

test('two names of one germplasm clash, whether one of them is canonical or not', () => {
  expect(canonicalNames(['B73', 'b73', 'missouri-17', 'MO-17'], catalogue).clashes).toEqual([
    { to: 'B73', from: ['B73', 'b73'] },
    { to: 'Mo17', from: ['missouri-17', 'MO-17'] },
  ]);
});
