import {
  fieldBookQuery,
  LABEL_SHEETS,
  type LabelSheetName,
  labelBoxes,
  labelLayout,
  labelsQuery,
  plotIdOf,
  walked,
} from '@heterosis/contracts/data/field-books';
import type { Trial } from '@heterosis/contracts/data/trials';
import { UNSET_TRAIT } from '@heterosis/contracts/people/traits';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { POINTS_PER_MM } from '../../../platform/pdf/pdf-document.ts';
import { pageSize, pagesOf } from '../../../platform/pdf/testing.ts';
import { bookAsCsv } from './book-csv.ts';
import { bookAsPdf, valuesOf } from './book-pdf.ts';
import { labelsAsPdf } from './labels-pdf.ts';
import type { PrintedPlot, PrintedTrial } from './printed-trial.ts';

const TRIAL_ID = '0198a4c2-7a11-7c3e-9d54-1f2e3d4c5b6a';

/** A field of rows × columns, replicates side by side, its first plot a check and its last a filler. */
function field(rows: number, columns: number, more: Partial<Trial> = {}): PrintedTrial {
  const count = rows * columns;
  const plots = Array.from({ length: count }, (_, place): PrintedPlot => {
    const kind = place === 0 ? 'CHECK' : place === count - 1 ? 'FILLER' : 'ENTRY';
    return {
      ...{ id: plotIdOf(TRIAL_ID, place), number: place + 1, name: `P${place + 1}`, kind, treatment: null },
      ...{ row: Math.floor(place / columns) + 1, column: (place % columns) + 1 },
      ...{ replicate: (place % columns) * 2 < columns ? 1 : 2, block: null },
      entry: kind === 'FILLER' ? null : `Line ${place + 1}`,
    };
  });
  const trial: Trial = {
    ...{ id: TRIAL_ID, project_id: TRIAL_ID, name: 'Yield trial', description: null, season: '2026' },
    ...{ location_name: 'Martonvásár', latitude: null, longitude: null, design: null, plot_name: 'P{plot}' },
    ...{
      sown_on: null,
      harvested_on: null,
      plot_length_m: null,
      plot_width_m: null,
      state: 'SOWN',
      traits: [],
      client_values: 'ALL',
    },
    ...{ plots: count, entries: count - 1, expected: 0, collected: 0, thumbnail: null, file_id: null },
    ...{ created_by: null, created_by_id: null, created_at: '2026-10-01T00:00:00.000Z', version: 1 },
    updated_at: '2026-10-04T00:00:00.000Z',
    ...more,
  };
  return { trial, plots, traits: [] };
}

const numbers = (printed: PrintedTrial, query: object): number[] =>
  walked(printed.plots, fieldBookQuery.parse({ all_plots: 'true', ...query })).map(({ number }) => number);

test('a walk goes by number, by rows or by columns, in one direction or there and back, from any corner', () => {
  const two = field(2, 3);
  expect(numbers(two, {})).toEqual([1, 2, 3, 4, 5, 6]);
  expect(numbers(two, { order: 'rows' })).toEqual([1, 2, 3, 4, 5, 6]);
  expect(numbers(two, { order: 'serpentine-rows' })).toEqual([1, 2, 3, 6, 5, 4]);
  expect(numbers(two, { order: 'serpentine-rows', corner: 'bottom-right' })).toEqual([6, 5, 4, 1, 2, 3]);
  expect(numbers(two, { order: 'columns', corner: 'top-right' })).toEqual([3, 6, 2, 5, 1, 4]);
  expect(numbers(two, { order: 'serpentine-columns', corner: 'bottom-left' })).toEqual([4, 1, 2, 5, 6, 3]);
});

test('a walk there and back turns at the rows that there are; plots without a place come last, fillers if asked', () => {
  const three = field(3, 2);
  three.plots = three.plots.filter(({ row }) => row !== 2);
  expect(numbers(three, { order: 'serpentine-rows' })).toEqual([1, 2, 6, 5]);
  expect(numbers(three, { order: 'serpentine-rows', all_plots: 'false' })).toEqual([1, 2, 5]);
  three.plots[0] = { ...(three.plots[0] as PrintedPlot), row: null, column: null };
  expect(numbers(three, { order: 'rows' })).toEqual([2, 5, 6, 1]);
});

test('the book as CSV has a row a plot with its id, empty columns for traits, and no formulas', () => {
  const printed = field(1, 3);
  printed.plots[0] = { ...(printed.plots[0] as PrintedPlot), entry: '=1+1', name: '@x' };
  printed.traits = [{ ...UNSET_TRAIT, name: '-height' }];
  expect(
    [...bookAsCsv(printed, fieldBookQuery.parse({ format: 'csv', order: 'rows', corner: 'top-right' }))].join(''),
  ).toBe(
    `plot_id,plot,plot_name,row,column,replicate,block,entry,kind,'-height
${TRIAL_ID}-1,2,P2,1,2,1,,Line 2,entry,
${TRIAL_ID}-0,1,'@x,1,1,1,,'=1+1,check,
`,
  );
});

test('the book as PDF has the trial, its map and its plots; equal trials give equal bytes', async () => {
  const query = fieldBookQuery.parse({});
  const small = field(6, 8);
  const bytes = await bookAsPdf(small, query);
  // 47 plots are two pages of rows.
  expect(pagesOf(bytes)).toHaveLength(4);
  expect(pageSize(bytes)).toEqual([595.28, 841.89]);
  expect(Buffer.compare(bytes, await bookAsPdf(field(6, 8), query))).toBe(0);
  const changed = field(6, 8, { updated_at: '2026-10-05T00:00:00.000Z' });
  expect(Buffer.compare(bytes, await bookAsPdf(changed, query))).not.toBe(0);
  expect(pageSize(await bookAsPdf(small, fieldBookQuery.parse({ page: 'LETTER' })))).toEqual([612, 792]);
  // Without rows and columns there is no map.
  const unplaced = field(6, 8);
  unplaced.plots = unplaced.plots.map((plot) => ({ ...plot, row: null, column: null }));
  expect(pagesOf(await bookAsPdf(unplaced, query))).toHaveLength(3);
});

test('the map is to scale, and comes in parts as well where its numbers could not be read', async () => {
  const query = fieldBookQuery.parse({});
  const cellOf = async (printed: PrintedTrial): Promise<number[]> => {
    const [, map = ''] = pagesOf(await bookAsPdf(printed, query));
    const [, width, height] = /^[\d.]+ [\d.]+ ([\d.]+) ([\d.]+) re$/m.exec(map) ?? [];
    return [Number(width), Number(height)];
  };
  const [width = 0, height = 0] = await cellOf(field(6, 8, { plot_width_m: 1.5, plot_length_m: 2 }));
  // Numbers of a PDF have three places.
  expect(width / height).toBeCloseTo(0.75, 3);
  // One page of all 40 × 40, then cells of at least 21 × 12 points: 2 × 2 pages of 20 × 20.
  const large = field(40, 40);
  large.plots = large.plots.map((plot) => ({ ...plot, entry: null, kind: 'FILLER' as const }));
  expect(pagesOf(await bookAsPdf(large, query))).toHaveLength(2 + 4 + 1);
});

test('traits that do not fit beside one another get further tables', async () => {
  const printed = field(2, 3);
  const pages = async (count: number): Promise<number> => {
    printed.traits = Array.from({ length: count }, (_, trait) => ({ ...UNSET_TRAIT, name: `T${trait}` }));
    return pagesOf(await bookAsPdf(printed, fieldBookQuery.parse({}))).length;
  };
  // On its side a page has room for seven.
  expect(await pages(7)).toBe(3);
  expect(await pages(8)).toBe(4);
});

test('what a scale takes is said in words', () => {
  expect(valuesOf({ kind: 'integer', min: 0, max: 9 })).toBe('whole numbers 0 to 9');
  expect(valuesOf({ kind: 'numeric', min: null, max: 5 })).toBe('numbers to 5');
  expect(
    valuesOf({
      kind: 'categories',
      categories: [
        { value: '1', label: 'weak' },
        { value: '9', label: null },
      ],
    }),
  ).toBe('1 weak, 9');
  expect(valuesOf(null)).toBe('');
});

/** The dark modules of the codes of a page, as the rectangles that fill them, by label. */
function codesOf(page: string): { x: number; y: number; rows: { x: number; y: number; width: number }[] }[] {
  return page
    .split(/^q$/m)
    .slice(1)
    .flatMap((label) => {
      const [, x, y] = /^1 0 0 1 ([\d.]+) ([\d.]+) cm$/m.exec(label) ?? [];
      if (x === undefined) return [];
      const rows = [...label.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re$/gm)].map(([, left, top, width]) => ({
        ...{ x: Number(left), y: Number(top), width: Number(width) },
      }));
      return [{ x: Number(x), y: Number(y), rows }];
    });
}

test('each label stands in its place of the sheet and its code holds the id of its plot', async () => {
  const printed = field(5, 5);
  const query = labelsQuery.parse({ sheet: 'L7160', start: '3', order: 'serpentine-rows' });
  const bytes = await labelsAsPdf(printed, query);
  const pages = pagesOf(bytes).map(codesOf);
  // 24 labels on a sheet of 21, of which two are used up.
  expect(pages.map((labels) => labels.length)).toEqual([19, 5]);
  const sheet = LABEL_SHEETS.L7160;
  const boxes = labelBoxes(sheet);
  const places = [...boxes.slice(2), ...boxes];
  const walk = walked(printed.plots, query);
  for (const [index, label] of pages.flat().entries()) {
    const box = places[index] ?? { x: 0, y: 0 };
    expect([label.x, label.y].map((at) => Math.round((at / POINTS_PER_MM) * 100))).toEqual(
      [box.x, box.y].map((at) => Math.round(at * 100)),
    );
    const { data, size } = encode(plotIdOf(TRIAL_ID, (walk[index]?.number ?? 0) - 1), { ecc: 'M', border: 2 });
    const { code } = labelLayout(sheet, 4);
    const unit = (code.side * POINTS_PER_MM) / size;
    const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
    for (const { x, y, width } of label.rows) {
      const from = Math.round((x - code.x * POINTS_PER_MM) / unit);
      const row = drawn[Math.round((y - code.y * POINTS_PER_MM) / unit)];
      row?.fill(true, from, from + Math.round(width / unit));
    }
    expect(drawn).toEqual(data);
  }
});

test('copies of a plot stand behind one another, and fillers get labels when asked', async () => {
  const labels = async (query: object): Promise<number[]> =>
    pagesOf(await labelsAsPdf(field(2, 3), labelsQuery.parse(query))).map((page) => codesOf(page).length);
  expect(await labels({ copies: '2' })).toEqual([10]);
  expect(await labels({ all_plots: 'true' })).toEqual([6]);
  expect(await labels({ sheet: '5163', copies: '3', start: '9' })).toEqual([2, 10, 3]);
});

test('sheets are those of their makers: labels inside the page, margins as printed on the packages', () => {
  // Left and top margins in millimetres of the templates of Avery.
  const margins: Record<LabelSheetName, [number, number]> = {
    ...{ L7160: [7.2, 15.1], L7163: [4.7, 15.1], L7159: [7.2, 12.9], L7651: [4.7, 10.7], L4731: [8.5, 13.5] },
    ...{ '5160': [4.8, 12.7], '5163': [4, 12.7], '5167': [7.6, 12.7] },
  };
  for (const [name, sheet] of Object.entries(LABEL_SHEETS)) {
    const [first] = labelBoxes(sheet);
    const [left, top] = margins[name as LabelSheetName];
    expect(Math.abs((first?.x ?? 0) - left), name).toBeLessThan(0.15);
    expect(Math.abs((first?.y ?? 0) - top), name).toBeLessThan(0.15);
  }
});
