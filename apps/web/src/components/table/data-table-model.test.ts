import { describe, expect, it } from 'vitest';
import {
  compareValues,
  type DataColumn,
  formatSort,
  groupRows,
  parseSort,
  searchRows,
  sortRows,
  tableWidth,
  textTable,
} from './data-table-model.ts';

interface Line {
  name: string;
  site: string;
  yield: number | null;
}

const lines: Line[] = [
  { name: 'Line 10', site: 'North', yield: 5.2 },
  { name: 'line 2', site: 'South', yield: null },
  { name: 'Line 1', site: 'North', yield: 7.9 },
];
const name: DataColumn<Line> = { id: 'name', header: 'Name', value: (line) => line.name };
const yields: DataColumn<Line> = {
  id: 'yield',
  header: 'Yield',
  unit: 't/ha',
  numeric: true,
  value: (line) => line.yield,
};
const columns = [name, yields];
const names = (rows: Line[]): string[] => rows.map((line) => line.name);

describe('sorting', () => {
  it('orders names as people do', () => {
    expect(names(sortRows(lines, name, false))).toEqual(['Line 1', 'line 2', 'Line 10']);
  });

  it('keeps missing values at the end both ways', () => {
    expect(names(sortRows(lines, yields, false))).toEqual(['Line 10', 'Line 1', 'line 2']);
    expect(names(sortRows(lines, yields, true))).toEqual(['Line 1', 'Line 10', 'line 2']);
  });

  it('leaves the order alone without a column', () => {
    expect(sortRows(lines, undefined, true)).toEqual(lines);
  });

  it('counts 10 after 9 in numbers and in names', () => {
    expect(compareValues(9, 10, false)).toBeLessThan(0);
    expect(compareValues('chr9', 'chr10', false)).toBeLessThan(0);
  });

  it('is written in the address with a minus for descending', () => {
    expect(parseSort('-yield')).toEqual({ column: 'yield', descending: true });
    expect(formatSort(parseSort('yield'))).toBe('yield');
    expect(parseSort('')).toBeUndefined();
  });
});

describe('searching', () => {
  it('wants every word, in any column, in any case', () => {
    expect(names(searchRows(lines, columns, 'LINE 7.9'))).toEqual(['Line 1']);
    expect(searchRows(lines, columns, 'line 11')).toEqual([]);
    expect(searchRows(lines, columns, '  ')).toHaveLength(3);
  });
});

describe('grouping', () => {
  const bySite = { id: 'site', label: 'Site', key: (line: Line) => line.site, title: (line: Line) => line.site };

  it('puts a heading with its count before each group and keeps the order within', () => {
    const items = groupRows(lines, bySite).map((item) =>
      item.kind === 'group' ? `${item.key} ${item.count}` : item.row.name,
    );
    expect(items).toEqual(['North 2', 'Line 10', 'Line 1', 'South 1', 'line 2']);
  });
});

describe('a table as text', () => {
  it('has units in the head and the bare values below', () => {
    expect(textTable(lines.slice(0, 2), columns)).toEqual({
      head: ['Name', 'Yield (t/ha)'],
      rows: [
        ['Line 10', 5.2],
        ['line 2', null],
      ],
    });
  });

  it('has what a column exports in place of what it shows', () => {
    const position: DataColumn<Line> = {
      ...yields,
      unit: 'Mb',
      exported: [
        { header: 'Position', unit: 'bp', value: (line) => line.yield && line.yield * 1e6 },
        { header: 'Site', value: (line) => line.site },
      ],
    };
    expect(textTable(lines.slice(0, 1), [name, position])).toEqual({
      head: ['Name', 'Position (bp)', 'Site'],
      rows: [['Line 10', 5_200_000, 'North']],
    });
  });
});

describe('the width of a table', () => {
  const site: DataColumn<Line> = { id: 'site', header: 'Site', value: (line) => line.site, width: 200 };

  it('is what the columns say, and a range where they leave it open', () => {
    expect(tableWidth([site])).toEqual({ min: 200, max: 200 });
    expect(tableWidth([name, yields, site])).toEqual({ min: 490, max: 720 });
    expect(tableWidth([{ ...name, minWidth: 240 }])).toEqual({ min: 240, max: 320 });
    expect(tableWidth([{ ...name, minWidth: 400 }])).toEqual({ min: 400, max: 400 });
  });

  it('has no upper limit with sentences in it', () => {
    expect(tableWidth([name, { ...site, wrap: true }]).max).toBeUndefined();
  });
});
