import { memorySource } from '@heterosis/file-formats/byte-source';
import { expect, test } from 'vitest';
import { foldsCsv, readFolds } from './folds.ts';

const read = (text: string) => readFolds(memorySource(Buffer.from(text), 'folds.csv'));

test('a table of folds survives its CSV', async () => {
  const folds = { individuals: ['a', 'b,c'], repetitions: [Int32Array.of(1, 2), Int32Array.of(0, 3)] };
  const text = [...foldsCsv(folds)].join('');
  expect(text).toBe('individual,rep1,rep2\na,1,\n"b,c",2,3\n');
  expect((await read(text)).folds).toEqual({ ...folds, columns: ['rep1', 'rep2'] });
});

test('every problem of a table of folds has its code and line', async () => {
  const { folds, report } = await read('individual,rep1\na,1\nb,x\na,2\n');
  expect(folds).toBeNull();
  expect(report.problems.map(({ code, line }) => [code, line])).toEqual([
    ['E-FO-NOT-FOLD', 3],
    ['E-FO-DUP', 4],
  ]);
  expect((await read('individual\na\n')).report.totals.byCode).toMatchObject({ 'E-FO-COLUMNS': 1 });
});
