import { expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import { openXlsx } from './xlsx-sheet.ts';
import { type SheetToWrite, xlsxChunks } from './xlsx-writer.ts';

async function written(sheets: readonly SheetToWrite[]) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of xlsxChunks(sheets)) chunks.push(chunk);
  return await openXlsx(memorySource(Buffer.concat(chunks)));
}

test('what is written is read again, on each sheet, with empty cells and signs of XML', async () => {
  const wide = Array.from({ length: 30 }, (_, k) => k + 0.5);
  const sheets = [
    { name: 'Study & more', rows: [['a "b"', null, '<c>'], ['', 'kept', '=1+1'], wide] },
    { name: 'Empty', rows: [['only a header']] },
  ];
  const sheet = await written(sheets);
  expect(sheet.names).toEqual(['Study & more', 'Empty']);
  const rows: string[][] = [];
  await sheet.forEachRow(({ cells }) => rows.push([...cells]) > 0);
  expect(rows[0]).toEqual(['a "b"', '', '<c>']);
  expect(rows[1]?.slice(0, 3)).toEqual(['', 'kept', '=1+1']);
  expect(rows[2]).toEqual(wide.map(String));
  const other: string[][] = [];
  await sheet.forEachRow(({ cells }) => other.push([...cells]) > 0, undefined, 'Empty');
  expect(other).toEqual([['only a header']]);
});
