import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { expect, test } from 'vitest';
import { madePairs, placesOfPairs } from './made-pairs.ts';

const cross = (name: string, female: string, male: string, parent3?: string): Cross => ({
  ...{ name, female, male, progenyCount: null, type: 'biparental', line: 2 },
  ...(parent3 === undefined ? {} : { parent3 }),
});

test('pairs are found under other names and either way round, once; selfings and three-way crosses are none', () => {
  const crosses = [
    cross('first', 'b-73', 'Missouri 17'),
    cross('again', 'Mo17', 'B73'),
    cross('self', 'B73', 'B73'),
    cross('three', 'B73', 'Oh43', 'Mo17'),
    cross('other', 'B73', 'W22'),
    cross('last', 'Oh43', 'B73'),
  ];
  const candidates = ['Mo17', 'Oh43', 'B73'];
  const catalogue = { names: candidates, synonyms: [['Missouri 17', 'Mo17']] as [string, string][] };
  const made = madePairs({ from: 'germplasm', name: null, crosses }, candidates, catalogue);
  expect(made).toEqual([
    { parents: ['B73', 'Mo17'], from: 'germplasm', name: 'first' },
    { parents: ['Oh43', 'B73'], from: 'germplasm', name: 'last' },
  ]);
  const table = madePairs({ from: 'crossing_table', name: 'year.csv', crosses: crosses.slice(1, 2) }, candidates);
  expect(table).toEqual([{ parents: ['Mo17', 'B73'], from: 'crossing_table', name: 'year.csv' }]);
  expect(placesOfPairs([...made, ...table], candidates)).toEqual([
    [0, 2],
    [1, 2],
  ]);
});
