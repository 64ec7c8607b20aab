import { expect, it } from 'vitest';
import { crossesOf, crossingTableCsv } from './crosses-of.ts';

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
