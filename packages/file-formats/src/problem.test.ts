import { describe, expect, test } from 'vitest';
import { columnLabel, FileFormatError, fileProblem, ProblemCollector } from './problem.ts';

describe('a finding', () => {
  test('quotes a long value cut short, wherever it stands', () => {
    const value = 'x'.repeat(70_000);
    const details = { value, message: `"${value}" is not a number.`, suggestion: `Remove "${value}".` };
    const cut = `${'x'.repeat(99)}…`;
    const expected = { value: cut, message: `"${cut}" is not a number.`, suggestion: `Remove "${cut}".` };
    expect(fileProblem('error', 'E-X', details)).toMatchObject(expected);
    expect(new FileFormatError('E-X', details).problem).toMatchObject(expected);
  });

  test('is short whatever its sentences and its column quote', () => {
    const found = fileProblem('warning', 'W-X', {
      column: columnLabel('x'.repeat(70_000), 0),
      message: `${'x'.repeat(70_000)} is odd.`,
      suggestion: 'x'.repeat(70_000),
    });
    expect([found.column?.length, found.message.length, found.suggestion?.length]).toEqual([300, 2000, 2000]);
  });

  test('leaves a value of a hundred characters alone', () => {
    const value = 'x'.repeat(100);
    expect(fileProblem('error', 'E-X', { value, message: `${value}.`, suggestion: 'Wait.' })).toMatchObject({
      value,
      message: `${value}.`,
    });
  });
});

describe('a collector', () => {
  test('keeps its first findings and counts all', () => {
    const problems = new ProblemCollector(2);
    for (let line = 1; line <= 5; line++) problems.warning('W-X', { line, message: 'Odd.', suggestion: 'Wait.' });
    problems.addUnlisted('error', 'E-Y', 3);
    problems.info('I-Z', { message: 'Told.', suggestion: 'Wait.' });
    const { problems: listed, totals } = problems.report();
    expect(listed.map(({ line }) => line)).toEqual([1, 2]);
    expect(totals).toEqual({ errors: 3, warnings: 5, infos: 1, byCode: { 'W-X': 5, 'E-Y': 3, 'I-Z': 1 } });
    expect(problems.errorCount).toBe(3);
  });

  test('lets an error push the last warning out, never another error', () => {
    const problems = new ProblemCollector(2);
    problems.warning('W-X', { line: 1, message: 'Odd.', suggestion: 'Wait.' });
    problems.info('I-X', { line: 2, message: 'Told.', suggestion: 'Wait.' });
    for (const line of [3, 4, 5]) problems.error('E-X', { line, message: 'Wrong.', suggestion: 'Wait.' });
    expect(problems.report().problems.map(({ code, line }) => [code, line])).toEqual([
      ['E-X', 3],
      ['E-X', 4],
    ]);
  });

  test('reports what concerns the whole file first, then line by line', () => {
    const problems = new ProblemCollector();
    for (const line of [7, null, 2]) problems.error('E-X', { line, message: 'Wrong.', suggestion: 'Wait.' });
    expect(problems.report().problems.map(({ line }) => line)).toEqual([null, 2, 7]);
  });
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i has the letters of a spreadsheet, %s', (index, letters) => {
  expect(columnLabel('', index)).toBe(letters);
  expect(columnLabel('EarHT', index)).toBe(`EarHT (${letters})`);
});
