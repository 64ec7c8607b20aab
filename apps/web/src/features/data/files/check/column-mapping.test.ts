import type { FirstRows } from '@heterosis/contracts/data/table-mapping';
import { expect, test } from 'vitest';
import { mappingOf, missingCodesOf, missingRole, rolesOf, withRole } from './column-mapping.ts';

const first: FirstRows = {
  sheets: [],
  sheet: null,
  separator: ';',
  header_line: 2,
  header_rows: 1,
  rows: [],
  columns: [
    { name: 'Nr', role: 'individual' },
    { name: 'Bez.', role: 'ignore' },
    { name: 'Ertrag', role: 'measurement' },
  ],
  decimal_mark: null,
  missing_codes: [],
  remembered: false,
};

test('one column only names the individuals: choosing another one makes a trait of the first', () => {
  const told = withRole('PHENOTYPE', first.columns, 'Bez.', 'individual');
  expect(rolesOf(first.columns, told).map(({ role }) => role)).toEqual(['measurement', 'individual', 'measurement']);
  // A file that is read with another header has other columns: choices for names that it lacks say nothing.
  expect(rolesOf([{ name: 'Sorte', role: 'individual' }], told)).toEqual([{ name: 'Sorte', role: 'individual' }]);
});

test('a column of germplasm that loses its role is kept as an attribute', () => {
  const columns = [
    { name: 'Stamm', role: 'name' },
    { name: 'Nr', role: 'attribute' },
  ] as const;
  expect(withRole('GERMPLASM', columns, 'Nr', 'name')).toEqual({ Stamm: 'attribute', Nr: 'name' });
});

test('what a table cannot do without is asked for, one after the other', () => {
  expect(missingRole('PHENOTYPE', first.columns)).toBeUndefined();
  expect(missingRole('PHENOTYPE', [{ name: 'Nr', role: 'individual' }])).toBe('measurement');
  expect(missingRole('PHENOTYPE', [{ name: 'Nr', role: 'measurement' }])).toBe('individual');
  expect(missingRole('CROSSING_TABLE', [{ name: 'A', role: 'female' }])).toBe('male');
  expect(missingRole('GERMPLASM', [{ name: 'A', role: 'attribute' }])).toBe('name');
  expect(missingRole('GERMPLASM', [{ name: 'A', role: 'accessionNumber' }])).toBeUndefined();
});

test('the mapping holds the place of the header and every column, the codes are taken apart', () => {
  expect(mappingOf(first, first.columns, ',')).toEqual({
    separator: ';',
    header_line: 2,
    decimal_mark: ',',
    columns: first.columns,
  });
  expect(mappingOf({ ...first, sheets: ['A', 'B'], sheet: 'B', separator: null }, [], '')).toEqual({
    sheet: 'B',
    header_line: 2,
    columns: [],
  });
  expect(missingCodesOf(' -999, n.v. ')).toEqual(['-999', 'n.v.']);
});
