import { expect, test } from 'vitest';
import { forksOf } from './heatmap-tree.ts';

test('a fork begins at the stems of both groups, and its own stem stands between them', () => {
  const forks = forksOf(4, [
    { left: 2, right: 3, height: 0.1 },
    { left: 0, right: 1, height: 0.2 },
    { left: 5, right: 4, height: 0.9 },
  ]);
  expect(forks).toEqual([
    [0.1, 2, 0, 3, 0],
    [0.2, 0, 0, 1, 0],
    [0.9, 0.5, 0.2, 2.5, 0.1],
  ]);
});

test('one environment has no tree', () => {
  expect(forksOf(1, [])).toEqual([]);
});
