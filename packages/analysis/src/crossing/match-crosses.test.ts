import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { expect, test } from 'vitest';
import { matchCrosses } from './match-crosses.ts';

const cross = (name: string, female: string, male: string): Cross => ({
  name,
  female,
  male,
  progenyCount: null,
  type: 'biparental',
  line: 2,
});

test('parents are named as the genotype names them, by renames and without case, and crosses without a parent are set aside', () => {
  const { crosses, skipped, names } = matchCrosses(
    [
      cross('exact', 'B73', 'Mo17'),
      cross('folded', 'oh-7b', 'Mo17'),
      cross('renamed', 'Mo17', 'PI 1'),
      cross('gone', 'B73', 'W22'),
    ],
    ['B73', 'Mo17', 'Oh43', 'Oh7B'],
    [{ from: 'PI 1', to: 'Oh43' }],
  );
  expect(crosses.map(({ name, female, male }) => [name, female, male])).toEqual([
    ['exact', 'B73', 'Mo17'],
    ['folded', 'Oh7B', 'Mo17'],
    ['renamed', 'Mo17', 'Oh43'],
  ]);
  expect(skipped.map(({ name }) => name)).toEqual(['gone']);
  expect(names.onlyRight).toEqual(['W22']);
});
