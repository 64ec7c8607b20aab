import { expect, test } from 'vitest';
import { designOfPosition, type WrittenPosition } from './unit-positions.ts';

const read = (written: Partial<WrittenPosition>) =>
  designOfPosition({ levels: [], x: null, xType: null, y: null, yType: null, ...written });

test('coordinates are row and column by their types, in either order', () => {
  expect(read({ x: '3', xType: 'GRID_COL', y: '7', yType: 'GRID_ROW' })).toEqual({ column: '3', row: '7' });
  expect(read({ x: '7', xType: 'GRID_ROW', y: '3', yType: 'GRID_COL' })).toEqual({ column: '3', row: '7' });
  expect(read({ x: '3', xType: 'PLANTED_INDIVIDUAL', y: '7', yType: 'PLANTED_ROW' })).toEqual({
    column: '3',
    row: '7',
  });
  expect(read({ y: '7', yType: 'GRID_ROW' })).toEqual({ row: '7' });
});

test('without types whole numbers are column and row, and nothing else is a place in a field', () => {
  expect(read({ x: '3', y: '7' })).toEqual({ column: '3', row: '7' });
  expect(read({ x: '3', xType: '', y: '7', yType: '' })).toEqual({ column: '3', row: '7' });
  expect(read({ x: '51.48', y: '11.97' })).toEqual({});
  expect(read({ x: '51.48', xType: 'LATITUDE', y: '11.97', yType: 'LONGITUDE' })).toEqual({});
  expect(read({ x: '1.5', xType: 'MEASURED_COL', y: '4.5', yType: 'MEASURED_ROW' })).toEqual({});
});

test('replicates and blocks have several names, and a block within a block is named by both', () => {
  const levels = (...pairs: [string, string | null][]) => ({ levels: pairs.map(([name, code]) => ({ name, code })) });
  expect(read(levels(['Rep', '2'], ['block', '5'], ['plot', '31']))).toEqual({ replicate: '2', block: '5' });
  expect(read(levels(['replication', '2'], ['block', '1'], ['sub-block', '4']))).toEqual({
    ...{ replicate: '2', block: '1 / 4' },
  });
  expect(read(levels(['replicate', '1'], ['sub-block', '4'], ['block', null]))).toEqual({ replicate: '1', block: '4' });
});
