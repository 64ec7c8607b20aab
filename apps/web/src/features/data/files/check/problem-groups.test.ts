import type { FileProblemRecord } from '@heterosis/contracts/data/files';
import { expect, test } from 'vitest';
import { firstOf, groupProblems, leavables, leftOutWith } from './problem-groups.ts';

const problem = (line: number, column: string, value: string, of: Partial<FileProblemRecord> = {}) => ({
  severity: 'error' as const,
  code: 'E-PH-NOT-NUMBER',
  line,
  column,
  value,
  message: `"${value}" is not a number.`,
  suggestion: 'Correct the value.',
  ...of,
});

test('equal findings of a column are one group with their lines and values', () => {
  const outlier = { severity: 'warning' as const, code: 'W-PH-OUTLIER' };
  const groups = groupProblems([
    problem(9, 'Yield (B)', '70', { ...outlier, message: 'Yield of "A" is 70: far from 60.5.' }),
    problem(4, 'Yield (B)', '3 t'),
    problem(2, 'Yield (B)', 'x'),
    problem(7, 'Yield (B)', 'x'),
    problem(7, 'Height (C)', 'x'),
    problem(8, 'Yield (B)', '90', { ...outlier, message: 'Yield of "B" is 90: far from 60.5.' }),
  ]);
  expect(groups.map(({ code, column, lines, values }) => [code, column, lines, values])).toEqual([
    ['E-PH-NOT-NUMBER', 'Yield (B)', [2, 4, 7], ['3 t', 'x']],
    ['E-PH-NOT-NUMBER', 'Height (C)', [7], ['x']],
    ['W-PH-OUTLIER', 'Yield (B)', [8, 9], ['70', '90']],
  ]);
  expect(groups.map(({ isSameSentence }) => isSameSentence)).toEqual([false, true, false]);
});

test('a row of averages is one choice, whatever columns it is wrong in', () => {
  const [row, cells, ...others] = leavables(
    groupProblems([
      problem(30, 'Yield (B)', '=x'),
      problem(30, 'Height (AC)', '=y'),
      problem(5, 'Moisture (D)', '14 %'),
      problem(8, 'Moisture (D)', '15 %'),
    ]),
  );
  expect(row).toMatchObject({ lines: [30], cells: ['B30', 'AC30'], columns: ['Yield (B)', 'Height (AC)'] });
  expect(cells).toMatchObject({ lines: [5, 8], cells: ['D5', 'D8'], columns: ['Moisture (D)'] });
  expect(others).toEqual([]);
});

test('rows are left out whole, many columns together, and what the whole file is blamed for never', () => {
  const repeated = { code: 'E-PH-DUP', message: 'twice' };
  expect(leavables(groupProblems([problem(3, 'A', 'L1', repeated), problem(6, 'A', 'L2', repeated)]))).toEqual([
    { id: 'E-PH-DUP', code: 'E-PH-DUP', columns: [], values: ['L1', 'L2'], lines: [3, 6], cells: [] },
  ]);
  const many = ['B', 'C', 'D', 'E', 'F'].map((letter, index) => problem(index + 2, `T (${letter})`, 'x'));
  expect(leavables(groupProblems(many))).toMatchObject([{ cells: ['B2', 'C3', 'D4', 'E5', 'F6'] }]);
  expect(leavables(groupProblems([{ ...problem(1, 'B', 'x', { code: 'E-COL-MISSING' }), line: null }]))).toEqual([]);
});

test('what is left out is added to what was, and long lists are cut', () => {
  expect(leftOutWith({ lines: [3], cells: ['B4'] }, [3, 5], ['C6'])).toEqual({ lines: [3, 5], cells: ['B4', 'C6'] });
  expect(firstOf([1, 2, 3, 4, 5, 6, 7])).toEqual({ shown: '1, 2, 3, 4, 5, 6, 7', more: 0 });
  expect(firstOf([1, 2, 3, 4, 5, 6, 7, 8])).toEqual({ shown: '1, 2, 3, 4, 5, 6', more: 2 });
});
