import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvCell } from './csv-cell.ts';
import { LineWriter } from './line-writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heterosis-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(write: (lines: LineWriter) => Promise<void>): Promise<string> {
  const path = join(folder, 'lines.txt');
  await LineWriter.write(path, write);
  return readFile(path, 'utf8');
}

test('texts, numbers and bytes stand in the file as they were given, over many blocks', async () => {
  const expected: string[] = [];
  const text = await written(async (lines) => {
    for (let i = 0; i < 200_000; i++) {
      const number = i < 100 ? 10 ** (i % 13) - (i & 1) : i * 7919;
      const name = i % 1000 === 0 ? `Grüße 小麦 😀 ${'n'.repeat(i / 1000)}` : `m${i}`;
      lines.text(name);
      lines.integer(number);
      lines.bytes(Buffer.from('-é!-'), 1, 4);
      const block = lines.end();
      if (block !== undefined) await block;
      expected.push(`${name}${number}é!\n`);
    }
  });
  expect(text).toBe(expected.join(''));
});

test('a line longer than a block is written whole', async () => {
  const long = 'x'.repeat(3 << 20);
  const text = await written(async (lines) => {
    lines.text(long);
    await lines.end();
    lines.bytes(Buffer.from(long), 0, long.length);
    await lines.end();
  });
  expect(text).toBe(`${long}\n${long}\n`);
});

test('a cell is what csvCell makes of it, whatever its characters', async () => {
  const texts = [
    'plain_1.2:3@4/5|6',
    '',
    '=1+1',
    '+x',
    '-1',
    '@cmd',
    'a,b',
    'a"b',
    'tab\there',
    'ü,ü',
    'a-b',
    'a b',
    'a;b',
  ];
  for (let code = 1; code < 256; code++) texts.push(String.fromCharCode(code), `a${String.fromCharCode(code)}b`);
  const cells = texts.filter((text) => !/[\r\n]/.test(text));
  const text = await written(async (lines) => {
    for (const cell of cells) {
      const bytes = Buffer.from(`,${cell}=`);
      lines.cell(bytes, 1, bytes.length - 1);
      await lines.end();
    }
  });
  expect(text).toBe(cells.map((cell) => `${csvCell(cell)}\n`).join(''));
});

test('base pairs become the megabases that the division gives, to the last digit', async () => {
  const positions = [
    0,
    1,
    10,
    999_999,
    1_000_000,
    1_000_001,
    1_234_500,
    20_000_000,
    3_999_999_999,
    2 ** 31,
    10 ** 12 + 3,
  ];
  for (let i = 0; i < 20_000; i++) positions.push((i * 48_271 * 1009) % 400_000_000);
  const text = await written(async (lines) => {
    for (const position of positions) {
      lines.decimal(position, 6);
      await lines.end();
    }
  });
  expect(text).toBe(positions.map((position) => `${position / 1e6}\n`).join(''));
});
