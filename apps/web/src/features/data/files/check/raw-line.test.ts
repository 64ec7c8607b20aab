import { describe, expect, it } from 'vitest';
import { cellRange, columnIndexOf, decodeText, linesAround } from './raw-line.ts';

const cell = (line: string, column: number): string | undefined => {
  const range = cellRange(line, column);
  return range && line.slice(range.start, range.end);
};

describe('cellRange', () => {
  it('finds a cell between the separators of its line', () => {
    expect(cell('Mo17,tall,3', 1)).toBe('tall');
    expect(cell('Mo17;"2,5;x";3', 1)).toBe('"2,5;x"');
    expect(cell('Mo17\ttall', 1)).toBe('tall');
    expect(cell('Mo17,,3', 1)).toBe('');
  });

  it('has nothing where the line ends before', () => {
    expect(cell('Mo17', 1)).toBeUndefined();
  });
});

it('reads the letter of a column as spreadsheets count', () => {
  expect(columnIndexOf('sample (A)')).toBe(0);
  expect(columnIndexOf('Yield (t/ha) (AB)')).toBe(27);
  expect(columnIndexOf('the header')).toBeUndefined();
  expect(columnIndexOf(null)).toBeUndefined();
});

it('numbers the lines around one as the report does, whatever ends them', () => {
  expect(linesAround('a\r\nb\nc\rd', 2, 1)).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: 'b' },
    { number: 3, text: 'c' },
  ]);
  expect(linesAround('a\nb', 1, 2).map(({ number }) => number)).toEqual([1, 2]);
});

it('takes bytes that are no UTF-8 for windows-1252', () => {
  expect(decodeText(new Uint8Array([0x5a, 0xe4, 0x68]).buffer)).toBe('Zäh');
  expect(decodeText(new TextEncoder().encode('Zäh').buffer as ArrayBuffer)).toBe('Zäh');
});
