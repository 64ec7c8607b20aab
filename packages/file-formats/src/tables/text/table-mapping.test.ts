import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import { readCrossingTable } from '../crossing-table/read-crossing-table.ts';
import { readGermplasm } from '../germplasm/read-germplasm.ts';
import { readLinkageMap } from '../linkage-map/read-linkage-map.ts';
import { readPedigree } from '../pedigree/read-pedigree.ts';
import { readPhenotype } from '../phenotype/read-phenotype.ts';
import { describeFirstRows, readFirstRows } from './first-rows.ts';
import { ATTRIBUTE_ROLE, IGNORED_ROLE, MEASURED_ROLE } from './table-mapping.ts';
import { codes, linesSource, problemOf } from './table-text.test-data.ts';

type Cell = string | number;

/** A workbook with these sheets; an empty text is no cell, as below a merged one. */
function workbook(sheets: Record<string, Cell[][]>): ByteSource {
  const cell = (value: Cell, row: number, column: number) => {
    const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (value === '') return '';
    return typeof value === 'number'
      ? `<c ${place}><v>${value}</v></c>`
      : `<c ${place} t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook><sheets>${Object.keys(sheets)
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
  };
  Object.values(sheets).forEach((rows, index) => {
    const xml = rows.map(
      (cells, row) => `<row r="${row + 1}">${cells.map((one, at) => cell(one, row, at)).join('')}</row>`,
    );
    files[`xl/worksheets/sheet${index + 1}.xml`] = `<worksheet><sheetData>${xml.join('')}</sheetData></worksheet>`;
  });
  const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  return memorySource(bytes, 'trial.xlsx');
}

const DATA: Cell[][] = [
  ['A', 7.1, 150],
  ['B', 6.5, 141],
];

async function traitsOf(...read: Parameters<typeof readPhenotype>) {
  const { table, report } = await readPhenotype(...read);
  return {
    individuals: table?.individuals,
    traits: table?.traits.map(({ name }) => name),
    values: table?.values.map((values) => [...values]),
    codes: codes(report).filter(([code]) => code !== 'W-PH-FEW'),
  };
}

describe('the header is found', () => {
  const expected = {
    individuals: ['A', 'B'],
    values: [
      [7.1, 6.5],
      [150, 141],
    ],
  };

  test('below a title of merged cells', async () => {
    const rows: Cell[][] = [['Yield trial, Halle 2025', '', ''], [], ['Line', 'Yield', 'Height'], ...DATA];
    const read = await traitsOf(workbook({ Trial: rows }));
    expect(read).toEqual({ ...expected, traits: ['Yield', 'Height'], codes: [['I-HEADER-ROW', 3]] });
  });

  test('below notes of several cells, by the column that names the individuals', async () => {
    const read = await traitsOf(
      workbook({ Trial: [['Trial:', 'Halle', ''], ['Sown', '', 'April'], ['Sorte', 'Ertrag', 'Höhe'], ...DATA] }),
    );
    expect(read).toEqual({ ...expected, traits: ['Ertrag', 'Höhe'], codes: [['I-HEADER-ROW', 3]] });
  });

  test('in two rows whose upper one has merged cells', async () => {
    const merged = await traitsOf(
      workbook({ Trial: [['Trial 2025', '', ''], ['Line', 'Yield', ''], ['', '2024', '2025'], ...DATA] }),
    );
    expect(merged).toEqual({ ...expected, traits: ['Yield 2024', 'Yield 2025'], codes: [['I-HEADER-ROW', 3]] });
    const repeated = await traitsOf(workbook({ Trial: [['', 'Yield', 'Height'], ['Line', '2025', '2025'], ...DATA] }));
    expect(repeated).toEqual({ ...expected, traits: ['Yield 2025', 'Height 2025'], codes: [['I-HEADER-ROW', 2]] });
  });

  test('below a title of a text, and not in place of the header that R writes', async () => {
    const read = await traitsOf(linesSource('Trial 2025;;', 'Linie;Ertrag;Höhe', 'A;7,1;150', 'B;6,5;141'));
    expect(read).toMatchObject({ ...expected, traits: ['Ertrag', 'Höhe'] });
    const fromR = await traitsOf(linesSource('EarHT\tdpoll', 'A\t59.5\t61', 'B\t60\t62'));
    expect(fromR).toMatchObject({ individuals: ['A', 'B'], traits: ['EarHT', 'dpoll'] });
  });
});

describe('what a person says of the columns', () => {
  const untold = linesSource(
    'Nr;Bez.;Wo;Ertrag;Bemerkung',
    '1;A;H;1.020,5;',
    '2;B;H;n.v.;Lager',
    '3;A;K;980,0;',
    '4;B;K;975,5;',
  );

  test('is asked with all other problems of the file in one pass', async () => {
    const { table, report } = await readPhenotype(untold);
    expect(table).toBeNull();
    expect(report.problems.map(({ code, line, value }) => [code, line, value])).toEqual([
      ['E-COL-MISSING', 1, 'Nr, Bez., Wo, Ertrag, Bemerkung'],
      ['E-PH-NOT-NUMBER', 2, '1.020,5'],
      ['E-PH-MISSING-CODE', 3, 'n.v.'],
      ['I-DECIMAL-COMMA', 4, '980,0'],
    ]);
  });

  test('reads names, environments, decimal commas, thousands and codes of a phenotype file', async () => {
    const roles = {
      Nr: IGNORED_ROLE,
      'Bez.': 'individual',
      Wo: 'location',
      Ertrag: MEASURED_ROLE,
      Bemerkung: IGNORED_ROLE,
    };
    const read = await readPhenotype(untold, { mapping: { roles, decimalMark: ',' }, missingCodes: ['n.v.'] });
    expect(read.table).toMatchObject({
      shape: 'wide-design',
      individuals: ['A', 'B'],
      traits: [{ name: 'Ertrag' }],
      environments: [
        { name: 'H', observations: [1] },
        { name: 'K', observations: [2] },
      ],
    });
    // What is left out is not reported as unused.
    expect(read.report.totals.byCode['W-COL-IGNORED']).toBeUndefined();
  });

  test('makes a trait of a column whose header has another meaning', async () => {
    const source = linesSource('line,row,check', 'A,6,0', 'B,8,1');
    const read = await traitsOf(source, { mapping: { roles: { row: MEASURED_ROLE, check: IGNORED_ROLE } } });
    expect(read).toMatchObject({ traits: ['row'], values: [[6, 8]] });
  });

  test('reads a table without header by the letters of its columns', async () => {
    const source = linesSource('A|7.1|x', 'B|6.5|y');
    const roles = { 'Column A': 'individual', 'Column B': MEASURED_ROLE, 'Column C': 'location' };
    const { table } = await readPhenotype(source, { mapping: { headerLine: 0, roles } });
    expect(table).toMatchObject({ individuals: ['A', 'B'], traits: [{ name: 'Column B' }] });
  });

  test('chooses the sheet and the rows of the header', async () => {
    const source = workbook({
      'Read me': [['Sown in April']],
      Yields: [['Nobody knows', 'this'], ['', 'Yield', 'Height'], ['Entry', 'mean', 'mean'], ...DATA],
    });
    const asked = await readPhenotype(source);
    expect(problemOf(asked.report, 'I-SHEETS').value).toBe('Read me, Yields');
    const read = await traitsOf(source, { mapping: { sheet: 'Yields', headerLine: 3, headerRows: 2 } });
    expect(read).toMatchObject({ individuals: ['A', 'B'], traits: ['Yield mean', 'Height mean'], codes: [] });
    const { report } = await readPhenotype(source, { mapping: { sheet: 'Heights' } });
    expect(problemOf(report, 'E-SHEET').message).toContain('it has "Read me", "Yields"');
  });

  test('is refused when the file has no such column', async () => {
    const { report } = await readPhenotype(linesSource('line,Yield', 'A,1'), {
      mapping: { roles: { Linie: 'individual' } },
    });
    expect(problemOf(report, 'E-COL-UNKNOWN')).toMatchObject({ line: 1, value: 'Linie' });
  });

  test('reads crossing tables, linkage maps and pedigrees', async () => {
    const crosses = await readCrossingTable(linesSource('Nr,Mutter,Vater,Korn', '1,A,B,20'), {
      mapping: { roles: { Nr: IGNORED_ROLE, Mutter: 'female', Vater: 'male', Korn: 'progeny' } },
    });
    expect(crosses.crosses).toMatchObject([{ female: 'A', male: 'B', progenyCount: 20 }]);
    const map = await readLinkageMap(linesSource('x,Gruppe,Ort (M)', 'm1,1,0.1', 'm2,1,0.4'), {
      mapping: { roles: { x: 'marker', Gruppe: 'chromosome', 'Ort (M)': 'mapPosition' } },
    });
    expect(map.map?.positionCm && [...map.map.positionCm]).toEqual([10, 40]);
    const pedigree = await readPedigree(linesSource('Sorte X,Mutter,Vater', 'C,A,B'), {
      mapping: { roles: { 'Sorte X': 'name', Mutter: 'female', Vater: 'male' } },
    });
    expect(pedigree.table?.names).toEqual(expect.arrayContaining(['A', 'B', 'C']));
  });

  const germplasm = linesSource(
    'Zuchtgarten 2026;;;;;;',
    'Stamm;Kreuzungsgruppe;Samenelter;Pollenelter;Auch bekannt als;line;Notiz',
    'L1;Frühe;A;B;L-eins|L01;7;mit Grannen',
    'L2;Späte;A;?;;8;',
  );

  test('reads germplasm; what is kept stays under its own header, whatever that means elsewhere', async () => {
    expect((await readGermplasm(germplasm)).rows?.map(({ name }) => name)).toEqual(['7', '8']);
    const roles = {
      Stamm: 'name',
      Kreuzungsgruppe: 'collection',
      Samenelter: 'female',
      Pollenelter: 'male',
      'Auch bekannt als': 'synonyms',
      line: ATTRIBUTE_ROLE,
      Notiz: IGNORED_ROLE,
    };
    const { rows, attributes, report } = await readGermplasm(germplasm, { mapping: { headerLine: 2, roles } });
    expect(report.totals.errors).toBe(0);
    expect(attributes).toEqual(['line']);
    expect(rows).toMatchObject([
      {
        ...{ line: 3, name: 'L1', collection: 'Frühe', maternal: 'A', paternal: 'B', synonyms: ['L-eins', 'L01'] },
        attributes: { line: '7' },
      },
      { line: 4, name: 'L2', collection: 'Späte', maternal: 'A', paternal: null, synonyms: [] },
    ]);
  });

  test('offers a germplasm column of unknown meaning as an attribute', async () => {
    const first = await readFirstRows(germplasm);
    if (first === null) throw new Error('no rows');
    const { headerLine, columns } = describeFirstRows(first, 'GERMPLASM', {});
    expect(headerLine).toBe(2);
    expect(columns.map(({ role }) => role)).toEqual([
      ...[ATTRIBUTE_ROLE, ATTRIBUTE_ROLE, 'female', 'male', ATTRIBUTE_ROLE, 'name', ATTRIBUTE_ROLE],
    ]);
  });

  test('keeps the collection of a pedigree', async () => {
    const { table } = await readPedigree(linesSource('Stamm,Gruppe,Mutter,Vater', 'C,Frühe,A,B'), {
      mapping: { roles: { Stamm: 'name', Gruppe: 'collection', Mutter: 'female', Vater: 'male' } },
    });
    expect(table?.collections[0]).toBe('Frühe');
  });
});

describe('names and values of messy files', () => {
  test('names that differ in case only are two, with a warning', async () => {
    const { table, report } = await readPhenotype(linesSource('line,Yield', 'L1,1', 'l1,2'));
    expect(table?.individuals).toEqual(['L1', 'l1']);
    expect(problemOf(report, 'W-NAME-CASE')).toMatchObject({ line: 3, value: 'l1' });
  });

  test('a code for missing values is no outlier once it is said to be missing', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `L${index},${index < 2 ? -999 : 7 + (index % 5) / 10}`);
    const source = linesSource('line,Yield', ...rows);
    const kept = await readPhenotype(source, { measuredValues: ['-999'] });
    expect(kept.summaries[0]?.outliers.map(({ value }) => value)).toEqual([-999, -999]);
    const cured = await readPhenotype(source, { missingCodes: ['-999'] });
    expect(cured.summaries[0]).toMatchObject({ n: 28, outliers: [] });
  });
});
