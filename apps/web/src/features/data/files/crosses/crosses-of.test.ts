import { expect, it } from 'vitest';
import { crossesOf, crossingTableCsv, pastedCrosses } from './crosses-of.ts';

it('crosses all pairs once, or the best with each of the others', () => {
  expect(crossesOf(['A', 'B', 'C'], 'pairs')).toEqual([
    ['A', 'B'],
    ['A', 'C'],
    ['B', 'C'],
  ]);
  expect(crossesOf(['A', 'B', 'C'], 'best')).toEqual([
    ['A', 'B'],
    ['A', 'C'],
  ]);
  expect(crossesOf(Array.from({ length: 20 }, String), 'pairs')).toHaveLength(190);
});

it('makes a crossing table of names with commas', () => {
  expect(crossingTableCsv([['A,1', 'B']])).toBe('cross,female,male\r\n"A,1×B","A,1",B\r\n');
});

it('takes pasted cells with a header as they are, and two columns of names as female and male', () => {
  expect(pastedCrosses('Mother\tFather\tNumber\r\nB73\tMo17\t20\r\n')).toEqual({
    csv: 'Mother,Father,Number\r\nB73,Mo17,20\r\n',
    count: 1,
  });
  expect(pastedCrosses('B73\tMo17\n\nA188\tMo17\n')).toEqual({
    csv: 'cross,female,male\r\nB73×Mo17,B73,Mo17\r\nA188×Mo17,A188,Mo17\r\n',
    count: 2,
  });
  for (const text of ['', 'B73', 'B73\t\nA188\tMo17', 'female\tmale']) expect(pastedCrosses(text)).toBeUndefined();
});
