import { expect, test } from 'vitest';
import { linesSource, problemOf } from '../text/table-text.test-data.ts';
import { dayOfYear, isoDay, readDate } from './dates.ts';
import type { PhenotypeOptions } from './phenotype-options.ts';
import { readPhenotypeRecords } from './phenotype-records.ts';
import { readPhenotype } from './read-phenotype.ts';

test.each([
  ['2025-07-15', '2025-07-15', '2025-07-15'],
  ['2025-07-15T08:30:00Z', '2025-07-15', '2025-07-15'],
  ['2016-01-07 12:08:24-0500', '2016-01-07', '2016-01-07'],
  ['2025/7/5', '2025-07-05', '2025-07-05'],
  ['15.07.2025', '2025-07-15', '2025-07-15'],
  ['3.4.25', '2025-04-03', '2025-04-03'],
  ['03/04/2025', '2025-04-03', '2025-03-04'],
  ['7/15/2025', null, '2025-07-15'],
  ['15-07-2025', '2025-07-15', null],
  ['15 Jul 2025', '2025-07-15', '2025-07-15'],
  ['15-juil.-25', '2025-07-15', '2025-07-15'],
  ['15. März 2024', '2024-03-15', '2024-03-15'],
  ['15 de julio de 2025', '2025-07-15', '2025-07-15'],
  ['July 4th, 2025', '2025-07-04', '2025-07-04'],
])('%s is %s with the day first, %s with the month first', (cell, dayFirst, monthFirst) => {
  const read = readDate(cell);
  const day = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : isoDay(value));
  expect([day(read?.dayFirst), day(read?.monthFirst)]).toEqual([dayFirst, monthFirst]);
});

test.each(['31.02.2025', '15.07', '2025', '20250715', '1.2.3.4', 'Mai', '12 kg 2025', '99-99-9999', ''])(
  '"%s" is no date',
  (cell) => expect(readDate(cell)).toBeNull(),
);

test('days of the year count from 1, with the leap day', () => {
  const day = (text: string) => dayOfYear(readDate(text)?.dayFirst ?? Number.NaN);
  expect(['2025-01-01', '2025-12-31', '2024-12-31', '2024-03-01'].map(day)).toEqual([1, 365, 366, 61]);
});

const read = async (lines: string[], dates?: PhenotypeOptions['dates']) => {
  const { table, report } = await readPhenotype(linesSource(...lines), dates === undefined ? {} : { dates });
  const { 'W-PH-FEW': _few, ...byCode } = report.totals.byCode;
  return { table, report, byCode, values: table === null ? null : [...(table.values[0] ?? [])] };
};

const GERMAN = ['Linie;Blüte;Ertrag', 'A;15.06.2025;51,5', 'B;20.06.2025;60', 'C;;55', 'D;01.07.2025;49'];

test('dates are offered as numbers, and the trait is none before', async () => {
  const { table, report, byCode } = await read(GERMAN);
  expect(byCode).toEqual({ 'W-PH-DATE': 1, 'I-DECIMAL-COMMA': 1 });
  expect(problemOf(report, 'W-PH-DATE')).toMatchObject({ column: 'Blüte (B)', value: '15.06.2025' });
  expect(table?.traits.map(({ kind }) => kind)).toEqual(['categorical', 'numeric']);
});

test('they become days of the year, or days after a date of sowing', async () => {
  const ofYear = await read(GERMAN, { as: 'day-of-year' });
  expect(ofYear.values).toEqual([166, 171, Number.NaN, 182]);
  expect(ofYear.table?.traits[0]).toMatchObject({ name: 'Blüte', kind: 'numeric', unit: 'day of year' });
  expect(ofYear.byCode).toEqual({ 'I-DECIMAL-COMMA': 1 });
  const afterSowing = await read(GERMAN, { as: 'days-after-sowing', sowing: '2025-04-15' });
  expect(afterSowing.values).toEqual([61, 66, Number.NaN, 77]);
  expect(afterSowing.table?.traits[0]?.unit).toBe('days after sowing');
});

test('a column of the dates of sowing counts for each row', async () => {
  const lines = [
    'line,rep,sowing_date,flowering',
    'A,1,2024-10-01,2025-06-01',
    'A,2,2024-10-11,2025-06-01',
    'B,1,2024-10-01,2025-06-11',
    'B,2,2024-10-11,2025-06-11',
  ];
  const { values, byCode } = await read(lines, { as: 'days-after-sowing' });
  expect(values?.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([238, 248]);
  expect(byCode).toEqual({ 'I-PH-AGGREGATED': 1 });
});

test('which comes first, day or month, is told by another date of the file, else asked', async () => {
  const told = ['line,flowering,maturity', 'A,03/04/2025,05/06/2025', 'B,05/04/2025,25/06/2025'];
  expect((await read(told, { as: 'day-of-year' })).values).toEqual([93, 95]);
  const american = ['line,flowering', 'A,03/04/2025', 'B,3/14/2025'];
  expect((await read(american, { as: 'day-of-year' })).values).toEqual([63, 73]);
  const open = ['line,flowering', 'A,03/04/2025', 'B,05/04/2025'];
  expect((await read(open, { as: 'day-of-year' })).byCode).toMatchObject({ 'E-PH-DATE-ORDER': 1 });
  expect((await read(open, { as: 'day-of-year', order: 'month-first' })).values).toEqual([63, 124]);
});

test('a date that does not exist, a missing sowing and a wrong season are said', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `L${i},${10 + i}.06.2025,x`);
  const wrong = await read(
    ['line;Blüte;note', ...rows, 'X,31.06.2025,x'].map((line) => line.replaceAll(',', ';')),
    {
      as: 'day-of-year',
    },
  );
  expect(problemOf(wrong.report, 'E-PH-NOT-DATE')).toMatchObject({ line: 14, value: '31.06.2025' });
  expect((await read(GERMAN, { as: 'days-after-sowing' })).byCode).toMatchObject({ 'E-PH-SOWING': 1 });
  const far = await read(GERMAN, { as: 'days-after-sowing', sowing: '2024-04-15' });
  expect(problemOf(far.report, 'W-PH-DATE-FAR').message).toMatch(/^3 dates of Blüte/);
  const late = await read(GERMAN, { as: 'days-after-sowing', sowing: '2025-06-18' });
  expect(problemOf(late.report, 'W-PH-DATE-FAR').message).toMatch(/^1 dates? of Blüte/);
});

test('long files have dates too, and n.b. among them is asked about', async () => {
  const long = ['line,trait,value', 'A,flowering,2025-06-01', 'B,flowering,2025-06-03', 'A,height,80', 'B,height,90'];
  expect((await read(long, { as: 'day-of-year' })).values).toEqual([152, 154]);
  const many = Array.from({ length: 12 }, (_, i) => `L${i},flowering,2025-06-${10 + i}`);
  const asked = await read([...long, ...many, 'C,flowering,n.b.'], { as: 'day-of-year' });
  expect(problemOf(asked.report, 'E-PH-MISSING-CODE')).toMatchObject({ value: 'n.b.', line: 18 });
});

test('what BrAPI clients read are the days, as they were chosen', async () => {
  const records = await readPhenotypeRecords(linesSource(...GERMAN), { dates: { as: 'day-of-year' } });
  expect(records?.traits[0]).toMatchObject({ kind: 'numeric', unit: 'day of year' });
  expect(records?.value).toEqual(['166', '51.5', '171', '60', '55', '182', '49']);
});
