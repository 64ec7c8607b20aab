import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import { linesSource } from '../text/table-text.test-data.ts';
import type { PlotValues } from './plot-values.ts';
import { readPlotValues } from './read-plot-values.ts';

async function read(...lines: string[]): Promise<PlotValues> {
  const { values } = await readPlotValues(linesSource(...lines));
  if (values === null) throw new Error('The file was refused');
  return values;
}
const said = ({ rows, traits, values }: PlotValues) =>
  values.map(({ row, trait, text, number }) => [rows[row]?.plots[0], traits[trait]?.header, text, number]);
const rolesOf = ({ columns }: PlotValues) => Object.fromEntries(columns.map(({ name, role }) => [name, role]));

// Headers of Field Book 6.2: `CSVWriter.writeDatabaseFormat` after the attributes of the plots.
const TAIL = 'trait,value,timestamp,person,location,number,attached_photo,attached_video,attached_audio,device_name';

test('the database export of Field Book keeps its own location apart from a place among the attributes', async () => {
  const file = await read(
    `plot_id,location,row,range,seed_name,${TAIL}`,
    'a-1,Kiel,1,2,B73,height,12.5,2026-08-05 11:52:45.379-05:00,Ana,"54.3; 10.1",1,,,,Pixel',
    'a-1,Kiel,1,2,B73,height,,,,,,,,,',
  );
  expect([file.shape, file.isFieldBook]).toEqual(['long', true]);
  expect(file.rows[0]).toEqual({
    ...{ line: 2, plots: ['a-1'], row: '1', column: '2', location: 'Kiel', entry: 'B73', person: 'Ana' },
    time: '2026-08-05 11:52:45.379-05:00',
  });
  // The second row has no value.
  expect(said(file)).toEqual([['a-1', 'height', '12.5', 12.5]]);
  expect(rolesOf(file)).toMatchObject({ trait: 'trait', value: 'value', number: 'description', range: 'column' });
});

test('of a wide table the columns that nothing else is are traits, with unit and ontology apart', async () => {
  const file = await read(
    'Versuch;Parzelle;Sorte;Wdh;Bearbeiter;Ertrag (dt/ha)|CO_1:5;Note',
    'T1;101;B73;1;Ana;87,5;ok',
    'T1;102;;1;Ana;;',
  );
  expect(file.shape).toBe('wide');
  expect(rolesOf(file)).toEqual({
    ...{ Versuch: 'trial', Parzelle: 'plot', Sorte: 'line', Wdh: 'description', Bearbeiter: 'person' },
    ...{ 'Ertrag (dt/ha)|CO_1:5': 'trait', Note: 'trait' },
  });
  expect(file.traits).toEqual([
    expect.objectContaining({ name: 'Ertrag', ontologyId: 'CO_1:5', values: 1, numbers: 1, samples: ['87,5'] }),
    expect.objectContaining({ name: 'Note', values: 1, numbers: 0 }),
  ]);
  expect(said(file)[0]).toEqual(['101', 'Ertrag (dt/ha)|CO_1:5', '87,5', 87.5]);
});

test('a sheet below a title, with numbers and a day, reads as a text does', async () => {
  const row = (n: number, ...cells: string[]) =>
    `<row r="${n}">${cells.map((cell, k) => cell.replace('@', `r="${'ABCD'[k]}${n}"`)).join('')}</row>`;
  const text = (words: string) => `<c @ t="inlineStr"><is><t>${words}</t></is></c>`;
  const number = (value: number, style = 0) => `<c @ s="${style}"><v>${value}</v></c>`;
  const sheet = `<worksheet><sheetData>${[
    row(1, text('Nursery 2026')),
    row(3, text('plot'), text('date'), text('Yield')),
    row(4, number(101), number(46_239, 1), number(5.5)),
  ].join('')}</sheetData></worksheet>`;
  const workbook = zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    'xl/styles.xml': strToU8('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'),
    'xl/worksheets/sheet1.xml': strToU8(sheet),
  });
  const { values } = await readPlotValues(memorySource(workbook, 'nursery.xlsx'));
  expect(values?.rows).toEqual([{ line: 4, plots: ['101'], time: '2026-08-05' }]);
  expect(values && said(values)).toEqual([['101', 'Yield', '5.5', 5.5]]);
});

test.each([
  ['E-PV-PLOT', ['line,Yield', 'B73,5']],
  ['E-PV-PLOT', ['row,Yield', '1,5']],
  ['E-PV-TRAIT', ['plot,row,column', '1,1,1']],
  ['E-COL-DUP', ['plot,Yield,Yield', '1,1,1']],
  ['E-ROW-WIDTH', ['plot,Yield', '1,1,1']],
  ['E-EMPTY', ['']],
])('%s', async (code, lines) => {
  const reading = await readPlotValues(linesSource(...lines));
  expect(reading.values === null && reading.problem.code).toBe(code);
});
