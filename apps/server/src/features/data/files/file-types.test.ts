import * as contracts from '@heterosis/contracts/data/file-formats';
import { fileType } from '@heterosis/contracts/data/files';
import { COLUMN_ROLES, columnRole } from '@heterosis/contracts/data/table-mapping';
import * as readers from '@heterosis/file-formats/file-kinds';
import { NUMERIC_CODINGS } from '@heterosis/file-formats/genotype/readers/numeric-coding';
import * as writers from '@heterosis/file-formats/genotype/writers/panel-format';
import {
  IGNORED_ROLE,
  MEASURED_ROLE,
  COLUMN_ROLES as readerRoles,
} from '@heterosis/file-formats/tables/text/table-mapping';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';

test.each([
  ['types of file', fileType.options, readers.CHOSEN_FILE_TYPES],
  ['formats of genotypes', contracts.genotypeFormat.options, readers.GENOTYPE_FORMATS],
  ['shapes of phenotype files', contracts.phenotypeShape.options, readers.PHENOTYPE_SHAPES],
  ['codings of numeric matrices', contracts.numericCoding.options, NUMERIC_CODINGS],
  ['export formats', contracts.exportFormat.options, writers.PANEL_FORMATS],
  ['export formats that hold dosages', contracts.DOSAGE_FORMATS, writers.DOSAGE_FORMATS],
  ['export formats that hold polyploids', contracts.POLYPLOID_FORMATS, writers.POLYPLOID_FORMATS],
  ['export formats that tell the ploidy of each plant', contracts.MIXED_FORMATS, writers.MIXED_FORMATS],
])('the API and the packages list the same %s', (_, api, packages) => {
  expect([...api].sort()).toEqual([...packages].sort());
  expectTypeOf<z.infer<typeof contracts.fileFormat>>().toEqualTypeOf<readers.FileFormat>();
});

test('the name of a file loses all its endings, and no dot of its own', () => {
  const names = {
    'panel.vcf': 'panel',
    'panel.hmp.txt.gz': 'panel',
    'Panel.VCF.BGZ': 'Panel',
    'maize.v2.csv': 'maize.v2',
    'trial 2024.xlsx': 'trial 2024',
    'no ending': 'no ending',
    'a.vcf.old': 'a.vcf.old',
    '.csv': '',
  };
  expect(Object.keys(names).map(contracts.withoutEndings)).toEqual(Object.values(names));
});

test('the API knows the roles of columns that the readers know', () => {
  expect(COLUMN_ROLES).toEqual(readerRoles);
  expect(columnRole.options).toEqual(expect.arrayContaining([MEASURED_ROLE, IGNORED_ROLE]));
});
