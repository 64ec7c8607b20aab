import { expect, it } from 'vitest';
import { byCell, fieldGrid, groupEdges, plotsIn } from './field-grid.ts';
import { amountRange } from './field-layers.ts';
import { cellAt, cellsBetween, wholeField, zoomed } from './field-view.ts';

/** Rows 3 and 4, columns 11 to 13; nothing stands at row 4, column 12. */
const places = { row: [3, 3, 3, 4, 4], column: [11, 12, 13, 11, 13] };
const grid = fieldGrid(places);
const size = { width: 330, height: 218 };

it('puts plots into cells, also where rows and columns do not begin at 1, and leaves holes', () => {
  expect(grid).toMatchObject({ firstRow: 3, firstColumn: 11, rows: 2, columns: 3 });
  expect([...grid.plotAt]).toEqual([0, 1, 2, 3, -1, 4]);
  expect(byCell(grid, [1, 2, null, 4, 5])).toEqual([1, 2, null, 4, null, 5]);
  expect(fieldGrid({ row: [], column: [] })).toMatchObject({ rows: 0, columns: 0 });
});

it('finds the plots in a rectangle, which may reach beyond the field', () => {
  expect(plotsIn(grid, { fromRow: 0, toRow: 1, fromColumn: 1, toColumn: 1 })).toEqual([1]);
  expect(plotsIn(grid, { fromRow: -2, toRow: 9, fromColumn: 2, toColumn: 9 })).toEqual([2, 4]);
});

it('draws edges between replicates, and none along a hole', () => {
  expect(groupEdges(grid, (plot) => places.row[plot])).toEqual([
    [0, 1, 1, 1],
    [2, 1, 3, 1],
  ]);
});

it('finds the plot below a place, at any enlargement', () => {
  const whole = wholeField(grid, size);
  const middle = { x: whole.left + 2.5 * whole.cellWidth, y: whole.top + 1.5 * whole.cellHeight };
  expect(cellAt(whole, middle.x, middle.y, grid)).toBe(5);
  const near = zoomed(whole, { factor: 1.3, ...middle }, grid, size);
  expect(cellAt(near, middle.x, middle.y, grid)).toBe(5);
  expect(cellsBetween(near, middle, { x: middle.x - near.cellWidth, y: middle.y })).toEqual({
    ...{ fromColumn: 1, toColumn: 2 },
    ...{ fromRow: 1, toRow: 1 },
  });
  expect(zoomed(near, { factor: 0.01, ...middle }, grid, size)).toEqual(whole);
});

it('lets a few plots set no scale for all others', () => {
  const values = [...Array.from({ length: 199 }, (_, i) => i / 100), 1e6, null];
  expect(amountRange(values, false)).toEqual({ min: 0.02, max: 1.97, isDiverging: false, isCut: true });
  expect(amountRange([-1, 3], true)).toEqual({ min: -3, max: 3, isDiverging: true, isCut: false });
});
