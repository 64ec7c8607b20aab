import { describe, expect, test } from 'vitest';
import { csvCell, unguarded } from '../../text/csv-cell.ts';
import { csvChunks, csvRow } from './csv-writer.ts';

/** What a reader of CSV makes of one cell. */
const unquoted = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

describe('csvRow', () => {
  test('quotes separators, quotes and line breaks', () => {
    expect(csvRow(['a,b', 'say "x"', 'one\ntwo', 'plain'])).toBe('"a,b","say ""x""","one\ntwo",plain\n');
  });

  test('a spreadsheet runs no cell as a formula, and numbers stay numbers', () => {
    expect(csvRow(['＝1+1', '＋a', '－b', '＠c', '\n=1'])).toBe("'＝1+1,'＋a,'－b,'＠c,\"'\n=1\"\n");
    for (const text of ['＝1', "'＠c", '\n=1', '\t=1']) expect(unguarded(unquoted(csvCell(text)))).toBe(text);
    expect(csvRow(['=1+1', '+a', '-b', '@c', -0.5, 1e-12, '-7'])).toBe("'=1+1,'+a,'-b,'@c,-0.5,1e-12,'-7\n");
  });

  test('a text that has an apostrophe of its own there keeps it when it is read', () => {
    expect(csvRow(["'=x", "''-1", "'tis"])).toBe("''=x,'''-1,'tis\n");
    for (const text of ["'=x", "''-1", "'tis", '=x', '-1', "'", '']) expect(unguarded(csvCell(text))).toBe(text);
  });

  test('nothing, NaN and infinities are empty cells, and a record is never a blank line', () => {
    expect(csvRow([null, undefined, Number.NaN, Number.POSITIVE_INFINITY, ''])).toBe(',,,,\n');
    expect(csvRow([null])).toBe('""\n');
  });
});

test('csvChunks takes the rows as they are asked for', () => {
  let taken = 0;
  function* rows() {
    for (let i = 0; i < 100_000; i++) {
      taken++;
      yield [i, 'abcdefghij'];
    }
  }
  const chunks = csvChunks(['n', 'text'], rows());
  expect(chunks.next().value?.startsWith('n,text\n0,abcdefghij\n')).toBe(true);
  expect(taken).toBeLessThan(10_000);
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  expect(taken).toBe(100_000);
  expect(length).toBeGreaterThan(1_000_000);
});
