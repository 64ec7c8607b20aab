import { expect, it } from 'vitest';
import { guessFileType } from './guess-file-type.ts';

it.each([
  ['panel_2026.vcf.gz', 'GENOTYPE'],
  ['genotypes.hmp.txt.gz', 'GENOTYPE'],
  ['plink.zip', 'GENOTYPE'],
  ['geno_matrix.csv', 'GENOTYPE'],
  ['trials_2026.csv', 'PHENOTYPE'],
  ['trials_2026.xlsx', 'PHENOTYPE'],
  ['crossing_table.csv', 'CROSSING_TABLE'],
  ['linkage_map.csv', 'LINKAGE_MAP'],
  ['notes.pdf', null],
] as const)('takes %s for %s', (name, type) => {
  expect(guessFileType(name)).toBe(type);
});
