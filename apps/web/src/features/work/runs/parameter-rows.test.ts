import { expect, it } from 'vitest';
import { parameterRows } from './parameter-rows.ts';

const words = {
  ...{ yes: 'yes', no: 'no', entries: (count: number) => `${count} entries`, nameOf: (key: string) => key },
  isByName: (key: string) => key === 'weights',
};

it('says parameters in words, what is nested under its name, and counts long lists', () => {
  const parameters = {
    selected_fraction: 0.05,
    bp_per_cm: null,
    include_dominance: false,
    low_traits: ['EarHT', 'dpoll'],
    renames: [{ from: 'b 73', to: 'B73' }],
    phased_from: { id: '1', name: 'panel.vcf' },
    none: [],
    samples: Array.from({ length: 21 }, String),
  };
  expect(parameterRows(parameters, words)).toEqual([
    ['selected_fraction', '0.05'],
    ['bp_per_cm', '–'],
    ['include_dominance', 'no'],
    ['low_traits', 'EarHT, dpoll'],
    ['renames', 'b 73 → B73'],
    ['phased_from: id', '1'],
    ['phased_from: name', 'panel.vcf'],
    ['none', '–'],
    ['samples', '21 entries'],
  ]);
});

it('leaves the names of traits as they are', () => {
  const loud = { ...words, nameOf: (key: string) => key.toUpperCase() };
  expect(parameterRows({ weights: { dpoll: -1 }, clumps: { r2: 0.5 } }, loud)).toEqual([
    ['WEIGHTS: dpoll', '-1'],
    ['CLUMPS: R2', '0.5'],
  ]);
});
