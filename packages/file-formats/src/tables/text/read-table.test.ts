import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { csvRow } from './csv-writer.ts';
import type { TableRow } from './delimited-text.ts';
import { openTable, reportDuplicateColumns, type TableOptions } from './read-table.ts';
import { codes, gzipSource, linesSource, problemOf, textSource } from './table-text.test-data.ts';

interface Read {
  header: string[];
  rows: TableRow[];
  report: ProblemReport;
}

async function read(source: ByteSource, options: Partial<TableOptions> = {}): Promise<Read> {
  const problems = new ProblemCollector();
  const rows: TableRow[] = [];
  let header: string[] = [];
  try {
    const table = await openTable(source, { problems, expected: 'a test table', ...options });
    header = table.columns.map(({ name }) => name);
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    await table.forEachRow((row) => rows.push({ line: row.line, cells: [...row.cells] }));
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { header, rows, report: problems.report() };
}

const cellsOf = ({ rows }: Read) => rows.map(({ cells }) => cells);

describe('openTable', () => {
  test.each([
    ['comma', 'line,yield\nA,1\nB,2'],
    ['tab', 'line\tyield\nA\t1\nB\t2'],
    ['semicolon', 'line;yield\nA;1\nB;2'],
    ['semicolon announced by Excel', 'sep=;\nline;yield\nA;1\nB;2'],
    ['Windows line ends', 'line,yield\r\nA,1\r\nB,2\r\n'],
    ['old Mac line ends', 'line,yield\rA,1\rB,2\r'],
    ['byte order mark', '\ufeffline,yield\nA,1\nB,2'],
    ['blanks and non-breaking spaces', ' line , yield\nA\u00a0,1\n B , 2 \n'],
    ['comments and blank lines', '# made by hand\n\n#\nline,yield\n\nA,1\n,\nB,2\n\n'],
    ['empty columns at the end', 'line,yield,,\nA,1,,\nB,2,,\n'],
  ])('reads a table with %s', async (_, text) => {
    const result = await read(textSource(text));
    expect(result.header).toEqual(['line', 'yield']);
    expect(cellsOf(result)).toEqual([
      ['A', '1'],
      ['B', '2'],
    ]);
    expect(result.report.problems).toEqual([]);
  });

  test('takes the separator that is most frequent outside quotes', async () => {
    const result = await read(linesSource('line;"yield, dry, t/ha";height', 'A;1,5;2'));
    expect(result.header).toEqual(['line', 'yield, dry, t/ha', 'height']);
    expect(cellsOf(result)).toEqual([['A', '1,5', '2']]);
  });

  test('reads gzip', async () => {
    expect(cellsOf(await read(gzipSource('line,yield\nA,1\n')))).toEqual([['A', '1']]);
  });

  test('reads UTF-16 with byte order mark', async () => {
    const bytes = Buffer.from('\ufeffline\tyield\nÄhre\t1\n', 'utf16le');
    expect(cellsOf(await read(memorySource(bytes)))).toEqual([['Ähre', '1']]);
  });

  test('reads windows-1252 with a warning', async () => {
    const result = await read(memorySource(Buffer.from('line,yield\n\xc4hre,1\n', 'latin1')));
    expect(cellsOf(result)).toEqual([['Ähre', '1']]);
    expect(result.report.totals.byCode).toEqual({ 'W-ENCODING': 1 });
  });

  test('unquotes cells with separators, doubled quotes and line breaks, keeping the true line numbers', async () => {
    const result = await read(linesSource('line,note', 'A,"one, ""two""', 'three"', 'B,5" pot', '"C", "d"'));
    expect(result.rows).toEqual([
      { line: 2, cells: ['A', 'one, "two"\nthree'] },
      { line: 4, cells: ['B', '5" pot'] },
      { line: 5, cells: ['C', 'd'] },
    ]);
  });

  test('numbers the lines after a header that spans two lines', async () => {
    const result = await read(linesSource('"plant', 'height",line', '3,A'));
    expect(result.header).toEqual(['plant\nheight', 'line']);
    expect(result.rows).toEqual([{ line: 3, cells: ['3', 'A'] }]);
  });

  test('reports an unclosed quote at its line and goes on with the next', async () => {
    const result = await read(linesSource('line,note', 'A,"open', 'B,fine', 'C,fine,too much'));
    expect(codes(result.report)).toEqual([
      ['E-QUOTE', 2],
      ['E-ROW-WIDTH', 4],
    ]);
    expect(cellsOf(result)).toEqual([['B', 'fine']]);
  });

  test('gives up on a cell of more than 100 lines without losing the rows behind it', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `L${i},x`);
    const result = await read(linesSource('line,note', 'A,"open', ...rows));
    expect(codes(result.report)).toEqual([['E-QUOTE', 2]]);
    expect(result.rows).toHaveLength(300);
    expect(result.rows.at(-1)).toEqual({ line: 302, cells: ['L299', 'x'] });
  });

  test('reports rows that are too short or too long', async () => {
    const result = await read(linesSource('a,b,c', '1,2', '1,2,3,', '1,2,3,4'));
    expect(codes(result.report)).toEqual([
      ['E-ROW-WIDTH', 2],
      ['E-ROW-WIDTH', 4],
    ]);
    expect(problemOf(result.report, 'E-ROW-WIDTH').message).toBe('The row has 2 fields, the header has 3.');
    expect(cellsOf(result)).toEqual([['1', '2', '3']]);
  });

  test('reports equal headers whatever their case, blanks and punctuation', async () => {
    const result = await read(linesSource('Plant height,line,plant_height', '1,A,2'));
    const problem = problemOf(result.report, 'E-COL-DUP');
    expect(problem).toMatchObject({ line: 1, column: 'plant_height (C)' });
    expect(problem.message).toContain('Plant height (A)');
  });

  test('undoes the apostrophe that a safe CSV file puts before = + - @', async () => {
    expect(cellsOf(await read(linesSource('line,x', "'-7,1", "'t Zandt,2")))).toEqual([
      ['-7', '1'],
      ["'t Zandt", '2'],
    ]);
  });

  test.each([
    ['nothing at all', '', 'E-EMPTY'],
    ['only blanks', '  \n\n \n', 'E-EMPTY'],
    ['a header only', 'line,yield\n', 'E-EMPTY'],
    ['a header and empty rows', 'line,yield\n,\n,\n', 'E-EMPTY'],
    ['only comments', '# a\n# b\n', 'E-NO-HEADER'],
    ['a VCF file', '##fileformat=VCFv4.2\n#CHROM\tPOS\n', 'E-TYPE'],
    ['a HapMap file', 'rs#\talleles\tchrom\tpos\tstrand\tassembly#\nm1\tA/C\t1\t1\t+\tNA\n', 'E-TYPE'],
    ['a web page', '<!DOCTYPE html>\n<html>', 'E-TYPE'],
    ['NUL bytes', 'line,yield\nA,\u00001\n', 'E-ENCODING'],
    ['a line of more than 10 MB', `line,${'x'.repeat(10_100_000)}`, 'E-TOO-LARGE'],
  ])('ends in a coded problem for %s', async (_, text, code) => {
    const { report } = await read(textSource(text));
    expect(report.totals.byCode).toEqual({ [code]: 1 });
  });

  test('says which type of file it is and which was chosen', async () => {
    const { report } = await read(textSource('##fileformat=VCFv4.2\n'));
    expect(problemOf(report, 'E-TYPE').message).toBe('This is a VCF file; you chose a test table.');
  });

  test('a truncated gzip, binary data and a damaged workbook end in a coded problem', async () => {
    const packed = gzipSync(`line,yield\n${'A,1\n'.repeat(10_000)}`);
    expect((await read(memorySource(packed.subarray(0, 60)))).report.totals.byCode).toEqual({ 'E-GZIP': 1 });
    const binary = Buffer.from([0x6c, 0x1b, 0x01, 0xff, 0x00]);
    expect((await read(memorySource(binary))).report.totals.byCode).toEqual({ 'E-TYPE': 1 });
    const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)]);
    expect((await read(memorySource(zip))).report.totals.byCode).toEqual({ 'E-TYPE': 1 });
  });

  test('a file beyond the limit is refused before it is read', async () => {
    const source = { ...textSource('line,yield\nA,1\n'), size: 200_000_001 };
    expect((await read(source)).report.totals.byCode).toEqual({ 'E-TOO-LARGE': 1 });
  });

  test('what a CSV writer wrote is read back cell by cell', async () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '=', '-', 'é', ' ', '\t', '7'), maxLength: 8 })
      .map((text) => text.trim())
      .filter((text) => !text.startsWith("'") && !text.startsWith('#'));
    const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.array(
        fc.array(cell, { minLength: width, maxLength: width }).filter((row) => row.some((text) => text !== '')),
        { maxLength: 6 },
      ),
    );
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const header = Array.from({ length: rows[0]?.length ?? 1 }, (_, index) => `column${index}`);
        const result = await read(textSource([header, ...rows].map(csvRow).join('')));
        expect(cellsOf(result)).toEqual(rows);
        expect(result.report.totals.errors).toBe(rows.length === 0 ? 1 : 0);
      }),
    );
  });
});
