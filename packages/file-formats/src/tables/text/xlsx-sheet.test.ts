import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { memorySource, openFileSource } from '../../byte-source.ts';
import { FileFormatError, ProblemCollector } from '../../problem.ts';
import type { TableRow } from './delimited-text.ts';
import { openTable } from './read-table.ts';
import { openXlsx } from './xlsx-sheet.ts';

const workbook = (name: string) =>
  openFileSource(fileURLToPath(new URL(`../../../testdata/workbooks/${name}`, import.meta.url)));

async function rowsOf(source: Parameters<typeof openXlsx>[0]): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  await (await openXlsx(source)).forEachRow((row) => rows.push(row) > 0);
  return rows;
}

/** A workbook of one sheet, as the parts of its zip archive. */
function zipped(sheet: string, parts: Record<string, string> = {}): Uint8Array {
  const files: Record<string, string> = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': sheet,
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

describe('openXlsx', () => {
  test('cells end at column XFD, the last that a spreadsheet has', async () => {
    const sheet = (cell: string) =>
      `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="${cell}1"><v>2</v></c></row></sheetData></worksheet>`;
    const cellsOf = async (cell: string) => (await rowsOf(memorySource(zipped(sheet(cell)))))[0]?.cells;
    const last = await cellsOf('XFD');
    expect([last?.length, last?.at(-1)]).toEqual([16_384, '2']);
    // A crafted reference must not make a row of millions of cells.
    expect(await cellsOf('XFE')).toEqual(['1']);
  });

  // What is opened and never closed must not be looked for again from every place: these would take days.
  test.each([
    ['shared strings', { 'xl/sharedStrings.xml': `<sst>${'<si>'.repeat(500_000)}` }, '<c><v>1</v></c>'],
    [
      'readings',
      { 'xl/sharedStrings.xml': `<sst><si><t>A</t>${'<rPh>'.repeat(400_000)}</si></sst>` },
      '<c t="s"><v>0</v></c>',
    ],
    ['cells', {}, `<c><v>1</v></c>${'<c>'.repeat(600_000)}`],
    ['values', {}, `<c r="A1"><v>1</v></c><c>${'<v>'.repeat(600_000)}</c>`],
    ['cell formats', { 'xl/styles.xml': `<styleSheet>${'<cellXfs>'.repeat(200_000)}</styleSheet>` }, '<c><v>1</v></c>'],
  ])('is not kept busy by %s that are never closed', async (_, parts, row) => {
    const sheet = `<worksheet><sheetData><row r="1">${row}</row></sheetData></worksheet>`;
    const [first] = await rowsOf(memorySource(zipped(sheet, parts)));
    expect(first?.cells[0]).toMatch(/^[1A]$/);
  });

  test('refuses a first sheet that is something else, however long', async () => {
    const source = memorySource(zipped(`<chartsheet>${'<drawing/>'.repeat(100_000)}</chartsheet>`));
    await expect(rowsOf(source)).rejects.toMatchObject({ code: 'E-TYPE' });
  });

  test('gives only text that can be stored: codes that are no characters become the replacement character', async () => {
    const cells = ['_x0000_A', '_xD800_B', 'C&#xDC00;', '&#0;', '_xD83D__xDE00_'];
    const row = cells.map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const sheet = `<worksheet><sheetData><row>${row}</row></sheetData></worksheet>`;
    const [first] = await rowsOf(memorySource(zipped(sheet)));
    expect(first?.cells).toEqual(['\uFFFDA', '\uFFFDB', 'C\uFFFD', '\uFFFD', '😀']);
  });

  test('counts rows that are empty elements, with or without a number', async () => {
    const sheet = '<worksheet><sheetData><row/><row r="5"/><row><c><v>1</v></c></row></sheetData></worksheet>';
    expect(await rowsOf(memorySource(zipped(sheet)))).toEqual([{ line: 6, cells: ['1'] }]);
  });

  test('reads the first sheet that openpyxl wrote: strings, dates, times, booleans and a formula without cached value', async () => {
    const source = await workbook('openpyxl.xlsx');
    expect(await rowsOf(source)).toEqual([
      { line: 1, cells: ['individual', 'Yield (t/ha)', 'Sown', 'Noted', 'Healthy', 'Twice'] },
      { line: 2, cells: ['B73', '5.25', '2026-05-04', '2026-09-01T14:30:00', 'TRUE', '=B2*2'] },
      { line: 3, cells: ['Mo17', '', '2025-05-04', '', 'FALSE'] },
      { line: 4, cells: ['Öland & <Süd> "x"', '-0.1', '', '08:15:00'] },
      { line: 7, cells: ['CML 247', '7'] },
    ]);
    await source.close();
  });

  test('reads what XlsxWriter wrote: rich strings, cached formula values, errors, custom formats', async () => {
    const source = await workbook('xlsxwriter.xlsx');
    expect(await rowsOf(source)).toEqual([
      { line: 1, cells: ['individual', 'Yield', 'Sown', 'Total'] },
      { line: 2, cells: ['B73', '5.5', '2026-05-04', '11'] },
      { line: 3, cells: ['Mo17', 'n/a', '', '#N/A'] },
    ]);
    await source.close();
  });

  test('reads sheets with namespace prefixes, inline strings, cells without reference and empty rows', async () => {
    const sheet =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"/><x:row r="2"><x:c t="inlineStr"><x:is><x:t>a&amp;b</x:t></x:is></x:c>' +
      '<x:c><x:v>0.1</x:v></x:c></x:row><x:row><x:c r="C3" t="str"><x:v>_x0041_</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    expect(await rowsOf(memorySource(zipped(sheet)))).toEqual([
      { line: 2, cells: ['a&b', '0.1'] },
      { line: 3, cells: ['', '', 'A'] },
    ]);
  });

  test('finds the sheet through the relations and skips phonetic readings and empty shared strings', async () => {
    const bytes = zipped('<worksheet><sheetData/></worksheet>', {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="/xl/worksheets/data.xml"/></Relationships>',
      'xl/worksheets/data.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c></row></sheetData></worksheet>',
      'xl/sharedStrings.xml':
        '<sst><si><t>玉</t><rPh sb="0" eb="1"><t>タマ</t></rPh><r><t>米</t></r></si><si/><si><t xml:space="preserve"> B </t></si></sst>',
    });
    expect(await rowsOf(memorySource(bytes))).toEqual([{ line: 1, cells: ['玉米', 'B'] }]);
  });

  test('counts days as Excel does, before March 1900 and from 1904', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;day&quot; 0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>';
    const sheet =
      '<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="1"><v>61</v></c><c r="C1" s="2"><v>61</v></c></row></sheetData></worksheet>';
    const parts = { 'xl/styles.xml': styles };
    expect((await rowsOf(memorySource(zipped(sheet, parts))))[0]?.cells).toEqual(['1900-01-01', '1900-03-01', '61']);
    const of1904 = {
      ...parts,
      'xl/workbook.xml': '<workbook><workbookPr date1904="1"/><sheet r:id="rId1"/></workbook>',
    };
    expect((await rowsOf(memorySource(zipped(sheet, of1904))))[0]?.cells).toEqual(['1904-01-02', '1904-03-02', '61']);
  });

  test('takes a number format longer than Excel allows for none of a date, without trying it for hours', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'[h'.repeat(500_000)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
    const sheet = '<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>61</v></c></row></sheetData></worksheet>';
    expect((await rowsOf(memorySource(zipped(sheet, { 'xl/styles.xml': styles }))))[0]?.cells).toEqual(['61']);
  });

  test('refuses more rows, or cells in a row, than a spreadsheet can have, however little they hold', async () => {
    for (const [inside, what] of [
      ['<row/>'.repeat(1_048_577), 'more rows than'],
      [`<row>${'<c/>'.repeat(16_385)}</row>`, 'more cells in a row than'],
    ] as const) {
      const bytes = zipped(`<worksheet><sheetData><row><c><v>1</v></c></row>${inside}</sheetData></worksheet>`);
      // As small as a picture.
      expect(bytes.length).toBeLessThan(30_000);
      await expect(rowsOf(memorySource(bytes))).rejects.toThrow(what);
    }
  });

  test('expands no entity of a document type, whatever it names', async () => {
    const bomb = `<!DOCTYPE s [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const sheet = '<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>';
    const parts = { 'xl/sharedStrings.xml': `${bomb}<sst><si><t>1 &b; &f;</t></si></sst>` };
    expect((await rowsOf(memorySource(zipped(sheet, parts))))[0]?.cells).toEqual(['1 &b; &f;']);
  });

  test('refuses a zip archive that is no workbook', async () => {
    const zip = zipSync({ 'readme.txt': strToU8('hello') });
    await expect(openXlsx(memorySource(zip))).rejects.toThrow('This is a zip archive, not a table.');
  });

  test('refuses a damaged workbook instead of reading part of it', async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${Math.sin(i)}</v></c></row>`,
    );
    const bytes = zipped(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`);
    const sheetAt = Buffer.from(bytes).indexOf('xl/worksheets/sheet1.xml') + 200;
    bytes.fill(0xff, sheetAt, sheetAt + 2000);
    await expect(rowsOf(memorySource(bytes))).rejects.toThrow(FileFormatError);
    await expect(openXlsx(memorySource(bytes.subarray(0, bytes.length - 30)))).rejects.toThrow(FileFormatError);
  });

  test('a single changed byte does not go unnoticed', async () => {
    const bytes = zipSync(
      {
        'xl/workbook.xml': strToU8('<workbook><sheets><sheet r:id="rId1"/></sheets></workbook>'),
        'xl/worksheets/sheet1.xml': strToU8(
          '<worksheet><sheetData><row r="1"><c r="A1"><v>17</v></c></row></sheetData></worksheet>',
        ),
      },
      { level: 0 },
    );
    expect(await rowsOf(memorySource(bytes))).toEqual([{ line: 1, cells: ['17'] }]);
    const value = Buffer.from(bytes).indexOf('<v>17') + 3;
    bytes[value] = 0x38;
    await expect(rowsOf(memorySource(bytes))).rejects.toThrow(FileFormatError);
  });

  test('a workbook is a table like any other, gzipped too; short rows are filled up', async () => {
    const source = await workbook('openpyxl.xlsx');
    const bytes = await source.read(0, source.size);
    await source.close();
    for (const content of [bytes, gzipSync(bytes)]) {
      const problems = new ProblemCollector();
      const table = await openTable(memorySource(content), { problems, expected: 'a table' });
      const rows: TableRow[] = [];
      await table.forEachRow((row) => rows.push(row));
      expect(table.columns.map(({ label }) => label)[1]).toBe('Yield (t/ha) (B)');
      expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 7]);
      expect(rows.every(({ cells }) => cells.length === 6)).toBe(true);
      expect(problems.report().problems).toEqual([]);
    }
  });
});
