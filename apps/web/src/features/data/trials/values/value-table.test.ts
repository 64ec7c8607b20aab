import { expect, test } from 'vitest';
import { asStored, type MeasuredTrait, misfit, readPasted } from './value-table.ts';

const height: MeasuredTrait = { name: 'Height', unit: 'cm', scale: { kind: 'numeric', min: 20, max: 300 } };
const colour: MeasuredTrait = {
  name: 'Colour',
  unit: null,
  scale: {
    kind: 'categories',
    categories: [
      { value: '1', label: 'white' },
      { value: '2', label: 'red' },
    ],
  },
};

test('a decimal comma is a point, a category is stored by its value, and limits are said', () => {
  expect(asStored(height.scale, ' 123,5 ')).toBe('123.5');
  expect(asStored(colour.scale, 'red')).toBe('2');
  expect(misfit(height.scale, '12,5')).toBe('is below the lower limit 20');
  expect(misfit(height.scale, '')).toBeUndefined();
  expect(misfit(null, 'anything')).toBeUndefined();
});

test('a pasted block fills cells from where it stands; what does not fit is told apart, empty cells change nothing', () => {
  const grid = { plots: [101, 102, 103], traits: [height, colour] };
  expect(readPasted('120\tred\r\n\t1\r\n1e9\tblue\r\n99\twhite\r\n', { row: 1, column: 0 }, grid)).toEqual({
    taken: [
      { plot: 102, trait: 'Height', value: '120' },
      { plot: 102, trait: 'Colour', value: '2' },
      { plot: 103, trait: 'Colour', value: '1' },
    ],
    refused: [],
    beyond: 4,
  });
  expect(readPasted('1000', { row: 0, column: 0 }, grid).refused).toEqual([
    { plot: 101, trait: 'Height', value: '1000', reason: 'is above the upper limit 300' },
  ]);
});
