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
    const [row] = await rowsOf(memorySource(zipped(sheet('XFD'))));
    expect([row?.cells.length, row?.cells.at(-1)]).toEqual([16_384, '2']);
    await expect(rowsOf(memorySource(zipped(sheet('XFE'))))).rejects.toThrow('A cell of row 1 is called "XFE1"');
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
    await expect(rowsOf(memorySource(zipped(sheet, parts)))).rejects.toThrow('never closed');
  });

  test('refuses a first sheet that is something else, however long', async () => {
    const source = memorySource(zipped(`<chartsheet>${'<drawing/>'.repeat(100_000)}</chartsheet>`));
    await expect(rowsOf(source)).rejects.toMatchObject({ code: 'E-TYPE' });
  });

  test.each(['_x0000_', 'A_x000B_', '_xD800_B', 'C_xFFFF_'])(
    'refuses the cell of a code that is no character: %s',
    async (text) => {
      const row = `<c t="str"><v>ä</v></c><c t="inlineStr"><is><t>${text}</t></is></c>`;
      const sheet = `<worksheet><sheetData><row/><row>${row}</row></sheetData></worksheet>`;
      await expect(rowsOf(memorySource(zipped(sheet)))).rejects.toMatchObject({
        problem: { code: 'E-ENCODING', line: 2, column: 'B', message: expect.stringContaining('cell B2') },
      });
    },
  );

  test('reads codes that stand for characters, and those of an escape', async () => {
    const row = ['_xD83D__xDE00_', 'a_x000A_b', '_x005F_x0000_']
      .map((text) => `<c t="str"><v>${text}</v></c>`)
      .join('');
    const sheet = `<worksheet><sheetData><row>${row}</row></sheetData></worksheet>`;
    expect((await rowsOf(memorySource(zipped(sheet))))[0]?.cells).toEqual(['😀', 'a\nb', '_x0000_']);
  });

  const table = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const BOOK = '<workbook><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>';
  const to = (target: string) => `<Relationships><Relationship Id="rId1" Target="${target}"/></Relationships>`;
  test.each<[what: string, sheet: string, message: RegExp, parts?: Record<string, string>]>([
    [
      'whose row is cut off',
      '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c>',
      /"<row r="2"><c>" is never closed/,
    ],
    ['that is cut off behind a row', '<worksheet><sheetData><row r="1"/><row r="2"/>', /<worksheet> is never closed/],
    ['with a row beyond the last', table('<row r="1048577"/>'), /number "1048577"/],
    ['with a row that has a name', table('<row r="two"/>'), /number "two"/],
    ['with a row twice', table('<row r="5"/><row r="5"/>'), /Row 5 stands behind row 5/],
    ['with a cell twice', table('<row r="1"><c r="A1"/><c r="A1"/></row>'), /cell A1 stands twice/],
    ['with a cell of another row', table('<row r="3"><c r="A7"><v>1</v></c></row>'), /A7 stands in row 3/],
    ['with a cell without column', table('<row r="3"><c r="3"><v>1</v></c></row>'), /is called "3"/],
    [
      'with a text that it lacks',
      table('<row><c t="s"><v>1</v></c></row>'),
      /A1 shows text 1 .* has 1 texts/,
      { 'xl/sharedStrings.xml': '<sst><si><t>x</t></si></sst>' },
    ],
    ['with no number of a text', table('<row><c t="s"><v></v></c></row>'), /A1 shows text/],
    ['with a style that it lacks', table('<row><c s="3"><v>45000</v></c></row>'), /A1 has a style/],
    ['with an & of its own', table('<row><c t="str"><v>A & B</v></c></row>'), /"A & B" holds "&"/],
    ['with a character that is none', table('<row><c t="str"><v>&#x110000;</v></c></row>'), /holds "&#x110000;"/],
    [
      'that is said to be elsewhere',
      table('<row/>'),
      /sheet 1 is said to be in "worksheets\/x.xml"/,
      { 'xl/workbook.xml': BOOK, 'xl/_rels/workbook.xml.rels': to('worksheets/x.xml') },
    ],
  ])('refuses a sheet %s', async (_, sheet, message, parts) => {
    const read = rowsOf(memorySource(zipped(sheet, parts)));
    await expect(read).rejects.toMatchObject({
      problem: { code: 'E-WORKBOOK', message: expect.stringMatching(message) },
    });
  });

  test('reads parts in UTF-16, and refuses bytes that are no text', async () => {
    const sheet = table('<row><c t="str"><v>Süd</v></c></row>');
    const parts = (bytes: Uint8Array) =>
      memorySource(zipSync({ 'xl/workbook.xml': strToU8(BOOK), 'xl/worksheets/sheet1.xml': bytes }));
    expect(await rowsOf(parts(Buffer.from(`\uFEFF${sheet}`, 'utf16le')))).toEqual([{ line: 1, cells: ['Süd'] }]);
    await expect(rowsOf(parts(Buffer.from(sheet, 'latin1')))).rejects.toMatchObject({ code: 'E-WORKBOOK' });
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
    await expect(rowsOf(memorySource(zipped(sheet, parts)))).rejects.toThrow('holds "&b;", which XML does not know');
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
