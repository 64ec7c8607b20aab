import { expect, test } from 'vitest';
import { codeTexts } from './code-texts.ts';
import { csvCell } from './csv-cell.ts';
import { LineBuffer } from './line-buffer.ts';

test('numbers of every size have the digits of String, and what is not finite is an empty cell', () => {
  const values = [0, -0, 1, -1, 10, 0.1, 1 / 3, -1e-7, 1e21, 123456789012, 2 ** 31, 2 ** 53, 5e-324, Number.MAX_VALUE];
  for (let i = 0; i < 2000; i++) values.push(Math.sin(i) * 10 ** ((i % 60) - 30));
  values.push(Number.NaN, 0.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const expected = values.map((value) => csvCell(value)).join(',');
  const lines = new LineBuffer(1);
  lines.numbers(values);
  expect(Buffer.from(lines.take()).toString()).toBe(expected);
  for (const [i, value] of values.entries()) {
    if (i > 0) lines.comma();
    lines.number(value);
  }
  expect(lines.written.toString()).toBe(expected);
  lines.clear();
  lines.numbers([]);
  expect(lines.length).toBe(0);
});

test('what is taken is not written over by what comes next', () => {
  const lines = new LineBuffer();
  lines.text('first');
  lines.newLine();
  const first = lines.take();
  lines.text('other');
  expect(Buffer.from(first).toString()).toBe('first\n');
  expect(lines.written.toString()).toBe('other');
});

test('codes of two bits become their texts, also longer ones and those that change from code to code', () => {
  const same = ['a', 'bcde', '', 'longer'];
  const each = [
    '00',
    '01',
    '02',
    '03',
    '10',
    '11',
    '12',
    '13 is longer',
    '20',
    'Ä',
    '22',
    '23',
    '30',
    '31',
    '32',
    '33',
  ];
  const lines = new LineBuffer(8);
  const packed = Uint8Array.of(0b11_10_01_00, 0b00_00_00_11);
  lines.codes(packed, 5, codeTexts(same));
  lines.text('|');
  lines.codes(Uint8Array.of(0b11_01_11_10), 4, codeTexts(each), 4);
  lines.text('|');
  expect(lines.written.toString()).toBe('abcdelongerlonger|0213 is longerÄ33|');
});
