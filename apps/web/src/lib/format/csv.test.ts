import { expect, it } from 'vitest';
import { toCsv, toTsv } from './csv.ts';

it('quotes what needs it and ends every line', () => {
  expect(
    toCsv(
      ['name', 'note'],
      [
        ['a,b', 'he said "no"'],
        ['c', null],
      ],
    ),
  ).toBe('name,note\r\n"a,b","he said ""no"""\r\nc,\r\n');
});

it('disarms formulas but leaves numbers alone', () => {
  expect(toCsv(['v'], [['＝1+1'], ['＠sum']])).toBe("v\r\n'＝1+1\r\n'＠sum\r\n");
  expect(toCsv(['v'], [['=1+1'], ['@sum'], ['-0.5'], [-0.5], ['+49 30']])).toBe(
    "v\r\n'=1+1\r\n'@sum\r\n-0.5\r\n-0.5\r\n'+49 30\r\n",
  );
});

it('writes a table for the clipboard with one line a row, whatever the cells hold', () => {
  expect(
    toTsv(
      ['name', 'yield'],
      [
        ['a\tb\nc', 5.2],
        ['=1+1', null],
      ],
    ),
  ).toBe("name\tyield\na b c\t5.2\n'=1+1\t");
});
