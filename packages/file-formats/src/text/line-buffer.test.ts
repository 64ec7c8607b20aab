import { expect, test } from 'vitest';
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
