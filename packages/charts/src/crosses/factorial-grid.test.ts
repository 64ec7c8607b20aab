import { expect, test } from 'vitest';
import { factorialGrid } from './factorial-grid.ts';

const hybrid = (female: number, male: number, gebv: number, genotypic: number | null = null) => ({
  name: `${female}x${male}`,
  female,
  male,
  gebv,
  genotypic,
});
const factorial = {
  trait: 'Yield',
  females: ['A', 'B', 'C'],
  males: ['M', 'N'],
  hybrids: [hybrid(0, 0, 1), hybrid(0, 1, 2, 9), hybrid(1, 0, 5), hybrid(1, 1, 8), hybrid(2, 1, 4)],
};

test('parents stand in the order of the mean of their hybrids, and pairs that were not made are empty', () => {
  const { rows, columns, values, min, max, hybrids } = factorialGrid(factorial, { which: 'gebv', isLow: false });
  expect(rows).toEqual(['B', 'C', 'A']);
  expect(columns).toEqual(['N', 'M']);
  expect(values).toEqual([8, 5, 4, null, 2, 1]);
  expect([min, max]).toEqual([1, 8]);
  expect(hybrids[2]).toEqual({ name: '1x0', female: 'B', male: 'M', value: 5 });
});

test('values that a model does not give are left out', () => {
  expect(factorialGrid(factorial, { which: 'genotypic', isLow: false }).hybrids.map(({ value }) => value)).toEqual([9]);
});

test('where low values are wanted, the parents of the lowest hybrids stand first', () => {
  const { rows, columns } = factorialGrid(factorial, { which: 'gebv', isLow: true });
  expect(rows).toEqual(['A', 'C', 'B']);
  expect(columns).toEqual(['M', 'N']);
});
