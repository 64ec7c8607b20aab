import { columnLabel } from '../../problem.ts';
import { headerKey, isMissing, parseNumber } from './cell-values.ts';
import type { Separator, TableRow } from './delimited-text.ts';
import { keyOfRole, roleOfHeader, type TableLayout } from './table-mapping.ts';

/** Titles and notes above a header take no more rows. */
const MOST_ROWS_ABOVE = 25;

export interface TableColumn {
  /** 0-based. */
  index: number;
  /** As written, trimmed. */
  name: string;
  /** For comparison with known spellings, see {@link headerKey}. */
  key: string;
  /** For problem records: `EarHT (B)`. */
  label: string;
}

/** A row at the start of a table, with the separator that its own text suggests. */
export interface FirstRow extends TableRow {
  separator: Separator | null;
}

/** How many of the first rows are looked at. */
export const firstRowCount = (layout: TableLayout | undefined): number =>
  layout === undefined ? 1 : Math.max(MOST_ROWS_ABOVE, layout.mapping?.headerLine ?? 0);

/** The place of the header among the first rows. */
export interface HeaderPlace {
  /** Index of its last row. */
  index: number;
  /** How many rows make it. */
  rows: number;
}

/**
 * Finds the header below titles and notes. It is the first row, unless that has no known header and a later row has
 * one, or the first row has one cell only (a title, often of merged cells) and a row of words follows. A header of two
 * rows is one whose first row leaves blanks, as merged cells do, where the second continues.
 */
export function placeOfHeader(rows: readonly FirstRow[], layout: TableLayout | undefined): HeaderPlace {
  if (layout === undefined) return { index: 0, rows: 1 };
  const { headerLine, headerRows } = layout.mapping ?? {};
  if (headerLine !== undefined && headerLine > 0) {
    const at = rows.findIndex(({ line }) => line >= headerLine);
    const index = at < 0 ? 0 : at;
    return { index, rows: Math.min(headerRows ?? 1, index + 1) };
  }
  const index = firstHeader(rows, layout.known);
  return withSecondRow(rows, index, layout);
}

function firstHeader(rows: readonly FirstRow[], known: ReadonlySet<string>): number {
  const isKnown = ({ cells }: FirstRow) => cells.some((cell) => known.has(headerKey(cell)));
  const first = rows[0];
  if (first === undefined || isKnown(first)) return 0;
  const later = rows.findIndex((row) => filled(row) > 1 && isKnown(row) && row.cells.every(mayBeHeader));
  if (later > 0) return later;
  if (filled(first) !== 1) return 0;
  const next = rows.findIndex((row) => filled(row) > 1);
  return next > 0 && rows[next]?.cells.every(mayBeHeader) ? next : 0;
}

function withSecondRow(rows: readonly FirstRow[], index: number, layout: TableLayout): HeaderPlace {
  const [above, header, below] = [rows[index - 1], rows[index], rows[index + 1]];
  const one = { index, rows: 1 };
  if (header === undefined) return one;
  // Merged downwards: the name stands in the upper row, and the lower one has the years or units of the traits.
  const nameColumn = header.cells.findIndex((cell) => layout.known.has(headerKey(cell)));
  if (
    below !== undefined &&
    nameColumn >= 0 &&
    (below.cells[nameColumn] ?? '') === '' &&
    filled(below) > 0 &&
    below.cells.every(mayBeHeader) &&
    hasGapUnder(header, below)
  )
    return { index: index + 1, rows: 2 };
  const keys = header.cells.map(headerKey).filter((key) => key !== '');
  const isUnclear = new Set(keys).size < keys.length;
  return above !== undefined && isUnclear && filled(above) > 1 ? { index, rows: 2 } : one;
}

/** Whether the lower row has a cell below a blank of the upper one. */
const hasGapUnder = (upper: FirstRow, lower: FirstRow): boolean =>
  lower.cells.some((cell, index) => cell !== '' && (upper.cells[index] ?? '') === '');

const filled = ({ cells }: FirstRow): number => cells.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0);

/** Blank, a word or a year: numbers and missing values are data. */
function mayBeHeader(cell: string): boolean {
  if (cell === '' || /^(?:19|20)\d\d$/.test(cell)) return true;
  return !isMissing(cell) && Number.isNaN(parseNumber(cell, true));
}

/**
 * The names of the columns. Those of several rows are joined; a blank of an upper row is the cell to its left, which
 * was merged over it. A lower name that is known by itself stands alone.
 */
export function columnNames(rows: readonly FirstRow[], place: HeaderPlace, layout: TableLayout | undefined): string[] {
  const header = rows[place.index]?.cells ?? [];
  if (place.rows === 1 || layout === undefined) return withoutTrailingBlanks(header);
  const uppers = rows.slice(place.index - place.rows + 1, place.index).map(({ cells }) => cells);
  const width = Math.max(header.length, ...uppers.map(({ length }) => length));
  const groups = uppers.map(() => '');
  const names = Array.from({ length: width }, (_, index) => {
    const lower = header[index] ?? '';
    const parts = uppers.map((cells, upper) => {
      const cell = cells[index] ?? '';
      if (cell !== '') groups[upper] = cell;
      return groups[upper] ?? '';
    });
    return roleOfHeader(layout.table, headerKey(lower)) !== undefined
      ? lower
      : [...parts, lower].filter(Boolean).join(' ');
  });
  return withoutTrailingBlanks(names);
}

/** What a column of a table without header is called. */
export const nameByPosition = (index: number): string => `Column ${columnLabel('', index)}`;

/** The columns of the header, without those that a person leaves out. */
export function tableColumns(names: readonly string[], layout: TableLayout | undefined): TableColumn[] {
  return names.flatMap((name, index): TableColumn[] => {
    const key = layout === undefined ? undefined : keyOfRole(layout, name, index);
    return key === null ? [] : [{ index, name, key: key ?? headerKey(name), label: columnLabel(name, index) }];
  });
}

function withoutTrailingBlanks(cells: readonly string[]): string[] {
  let length = cells.length;
  while (length > 1 && cells[length - 1] === '') length--;
  return cells.slice(0, length);
}
