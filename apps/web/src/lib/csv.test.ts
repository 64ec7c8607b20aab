import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

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
  expect(toCsv(['v'], [['=1+1'], ['@sum'], ['-0.5'], [-0.5], ['+49 30']])).toBe(
    "v\r\n'=1+1\r\n'@sum\r\n-0.5\r\n-0.5\r\n'+49 30\r\n",
  );
});
