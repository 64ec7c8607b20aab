import { expect, test } from 'vitest';
import { codes, linesSource, problemOf } from '../text/table-text.test-data.ts';
import { readKinshipTable } from './read-kinship-table.ts';

const read = (...lines: string[]) => readKinshipTable(linesSource(...lines));

test('a kinship is read whatever the order of its rows, with names as they are compared everywhere', async () => {
  const { table, report } = await read('id,A,"B, x",\'=C', '"B,  x",0.5,2,-0.25', "'=C,0,-0.25,1e0", 'A,1,0.5,0');
  expect(report.problems).toEqual([]);
  expect(table).toEqual({
    individuals: ['A', 'B, x', '=C'],
    values: Float64Array.of(1, 0.5, 0, 0.5, 2, -0.25, 0, -0.25, 1),
  });
});

test('what write.csv and write.table of R make of a matrix with names is read too', async () => {
  const csv = await read('"","A","B"', '"A",1,0.25', '"B",0.25,1');
  const spaced = await read('"A" "B"', '"A" 1 0.25', '"B" 0.25 1');
  expect(csv.table?.values).toEqual(Float64Array.of(1, 0.25, 0.25, 1));
  expect(spaced.table).toEqual(csv.table);
});

test('halves that differ by rounding become their mean', async () => {
  const { table } = await read('id,A,B', 'A,1,0.1000001', 'B,0.0999999,1');
  expect(table?.values[1]).toBeCloseTo(0.1, 12);
  expect(table?.values[2]).toBe(table?.values[1]);
});

test.each([
  [['id,A,B', 'A,1', 'B,0,1'], 'E-ROW-WIDTH', 2],
  [['id,,B', 'A,1,0', 'B,0,1'], 'E-KIN-NAME', 1],
  [['id,A,A', 'A,1,0', 'A,0,1'], 'E-KIN-DUP', 1],
  [['id,A,B', 'A,1,0', 'A,1,0'], 'E-KIN-DUP', 3],
  [['id,A,B', 'A,1,0', 'C,0,1'], 'E-KIN-NAME', 3],
  [['id,A,B', 'A,1,0'], 'E-KIN-ROWS', null],
  [['id,A,B', 'A,1,NA', 'B,0,1'], 'E-KIN-VALUE', 2],
  [['id,A,B', 'A,1,x', 'B,0,1'], 'E-KIN-VALUE', 2],
  [['id,A,B', 'A,1,0.2', 'B,0.1,1'], 'E-KIN-ASYMMETRIC', null],
])('%j is refused with %s', async (lines, code, line) => {
  const { table, report } = await read(...lines);
  expect(table).toBeNull();
  expect(codes(report)).toContainEqual([code, line]);
  expect(problemOf(report, code).suggestion).not.toBe('');
});
