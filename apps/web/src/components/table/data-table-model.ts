import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CsvCell } from '../../lib/format/csv.ts';

export type CellValue = string | number | boolean | null | undefined;

/** What a column is in a CSV or on the clipboard. */
export interface ExportedColumn<Row> {
  header: string;
  unit?: string | undefined;
  value: (row: Row) => CellValue;
}

export interface DataColumn<Row> {
  id: string;
  header: string;
  /** Written after the head: `Position (Mb)`. */
  unit?: string | undefined;
  /** What is sorted and searched, and exported unless `exported` says otherwise. */
  value: (row: Row) => CellValue;
  /** What a CSV and the clipboard have in place of this column: one for each of its figures, or in another unit. */
  exported?: readonly ExportedColumn<Row>[];
  /** What is shown; the value itself when absent. */
  cell?: (row: Row) => ReactNode;
  /** Right-aligned, and sorted largest first at the first click. */
  numeric?: boolean;
  /** Left-aligned figures, which are sorted largest first at the first click like numbers. */
  startsDescending?: boolean;
  /** In pixels; columns without a width share what is left. */
  width?: number;
  /** What the figure means, said when its head is pointed at. */
  hint?: string;
  sortable?: boolean;
  /** Pixels that it needs at the least where it may grow: long names. */
  minWidth?: number;
  /** Not shown until chosen under "Columns". */
  hidden?: boolean;
  /** Sentences: the row grows instead of cutting them. */
  wrap?: boolean;
  /** Stays below 768 px, where two columns are shown: the first one and this. */
  narrow?: boolean;
}

export interface Grouping<Row> {
  id: string;
  label: string;
  /** Rows with the same key stand together. */
  key: (row: Row) => string;
  title: (row: Row) => ReactNode;
}

export interface Sort {
  column: string;
  descending: boolean;
}

export type TableItem<Row> =
  | { kind: 'group'; key: string; title: ReactNode; count: number }
  | { kind: 'row'; row: Row; index: number };

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Numbers by size, text in natural order (`Line 2` before `Line 10`); missing values last whichever way it is sorted.
 */
export function compareValues(a: CellValue, b: CellValue, descending: boolean): number {
  const isMissing = (value: CellValue): boolean =>
    value === null || value === undefined || value === '' || Number.isNaN(value);
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return descending ? -order : order;
}

/** Rows that contain every word of the search in one of the columns. */
export function searchRows<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[], search: string): Row[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns
      .map((column) => String(column.value(row) ?? ''))
      .join('\n')
      .toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function sortRows<Row>(rows: readonly Row[], column: DataColumn<Row> | undefined, descending: boolean): Row[] {
  if (!column) return [...rows];
  const values = new Map(rows.map((row) => [row, column.value(row)]));
  return [...rows].sort((a, b) => compareValues(values.get(a), values.get(b), descending));
}

/** Rows with a heading before each group. Groups come in the order in which the sorted rows first name them. */
export function groupRows<Row>(rows: readonly Row[], grouping: Grouping<Row> | undefined): TableItem<Row>[] {
  if (!grouping) return rows.map((row, index) => ({ kind: 'row', row, index }));
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = grouping.key(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const items: TableItem<Row>[] = [];
  let index = 0;
  for (const [key, group] of groups) {
    const [first] = group;
    if (first === undefined) continue;
    items.push({ kind: 'group', key, title: grouping.title(first), count: group.length });
    for (const row of group) items.push({ kind: 'row', row, index: index++ });
  }
  return items;
}

/** The head and rows of what is shown, for a CSV file or the clipboard. */
export function textTable<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
): { head: string[]; rows: CsvCell[][] } {
  const written = columns.flatMap((column): readonly ExportedColumn<Row>[] => column.exported ?? [column]);
  return { head: written.map(headOf), rows: rows.map((row) => written.map((column) => column.value(row))) };
}

export function headOf(column: { header: string; unit?: string | undefined }): string {
  return column.unit ? `${column.header} (${column.unit})` : column.header;
}

/** `-created_at` in the address is created_at, descending. */
export function parseSort(text: string | undefined): Sort | undefined {
  if (!text) return undefined;
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false };
}

export function formatSort(sort: Sort | undefined): string | undefined {
  return sort && `${sort.descending ? '-' : ''}${sort.column}`;
}

/** What a person has chosen of the columns of a table. */
export interface ColumnChoice {
  /** Column → whether it is shown; what is not named is shown unless it is `hidden`. */
  shown: Readonly<Record<string, boolean>>;
  /** Ids in their order; others follow in the order of the table. The first column of a table stays the first. */
  order: readonly string[];
}

export const NO_CHOICE: ColumnChoice = { shown: {}, order: [] };

/** All columns in the order that was chosen, and whether each is shown. */
export function arrangeColumns<Column extends Pick<DataColumn<never>, 'id' | 'hidden'>>(
  columns: readonly Column[],
  { shown, order }: ColumnChoice,
): { column: Column; isShown: boolean }[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const placeOf = (column: Column): number => {
    const place = order.indexOf(column.id);
    return place < 0 ? order.length : place;
  };
  const arranged = [first, ...others.toSorted((a, b) => placeOf(a) - placeOf(b))];
  return arranged.map((column) => ({
    column,
    isShown: column === first || (shown[column.id] ?? column.hidden !== true),
  }));
}

/** What a column needs, and takes at the most, where it does not say: a column of names, any other. */
const FIRST_COLUMN_PX = { min: 180, max: 320 };
const COLUMN_PX = { min: 110, max: 200 };
const SENTENCE_PX = { min: 240, max: 240 };

/**
 * Width that the columns need together, and the one beyond which figures would stand too far apart to be read as a row;
 * with sentences among them (`wrap`) there is no such limit. In pixels.
 */
export function tableWidth<Row>(columns: readonly DataColumn<Row>[]): { min: number; max: number | undefined } {
  const bounds = columns.map((column, index) => {
    const own = column.wrap ? SENTENCE_PX : index === 0 ? FIRST_COLUMN_PX : COLUMN_PX;
    const { width, minWidth = own.min } = column;
    return width === undefined ? { min: minWidth, max: Math.max(minWidth, own.max) } : { min: width, max: width };
  });
  return {
    min: bounds.reduce((sum, { min }) => sum + min, 0),
    max: columns.some((column) => column.wrap) ? undefined : bounds.reduce((sum, { max }) => sum + max, 0),
  };
}

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

export interface DataTableProps<Row> {
  /** Stable name; remembers the chosen columns. */
  id: string;
  /** Read aloud: `Models`. */
  label: string;
  columns: DataColumn<Row>[];
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  isLoading?: boolean;
  error?: unknown;
  onRetry?: () => void;
  /** Shown when there are no rows at all. */
  empty?: ReactNode;

  /** Where a row leads. Its first cell becomes the link, a click anywhere on the row follows it. */
  rowLink?: (row: Row) => RowLink;
  /** Instead of a link: what a click does. */
  onOpen?: (row: Row) => void;
  /** Entries of the row's menu, as `Menu.Item`s; null for a row without a menu. */
  rowMenu?: ((row: Row) => ReactNode) | undefined;
  /** Marks one row, for example the one shown beside the table. */
  isMarked?: (row: Row) => boolean;

  groupings?: Grouping<Row>[];
  /** No grouping until one is chosen; otherwise the first. */
  startsUngrouped?: boolean;
  defaultSort?: Sort;
  /** Search, sort and grouping live in the address: for the one main table of a page. */
  inAddress?: boolean;
  hasSearch?: boolean;
  /** False for a short list that needs no search, choice of columns or export. */
  hasTools?: boolean;
  /** How many rows are expected, so that what is below stays where it is when they come. */
  expectedRows?: number | undefined;
  searchLabel?: string;
  /** Left of the search: further filters. */
  filters?: ReactNode;

  /** Filters of the page that a saved view keeps, and how one is put back; what it does not know of, it ignores. */
  savedFilters?: {
    values: Readonly<Record<string, string>>;
    apply: (values: Readonly<Record<string, string>>) => void;
  };

  /**
   * The rows that are chosen, where the plots of the page show them too; the page then says what can be done with them,
   * in place of `bulkActions`. Absent: the table keeps them itself.
   */
  selection?: { ids: ReadonlySet<string>; select: (ids: Iterable<string>) => void } | undefined;
  /** A phone shows all columns too: a table of like figures scrolls sideways beside its first column. */
  keepsColumns?: boolean;
  /** It stands below one that fills the page, and is as wide. */
  fills?: boolean;
  /** Lets rows be chosen and shows these actions while some are. */
  bulkActions?: ((chosen: Row[], clear: () => void) => ReactNode) | undefined;

  /** More pages wait on the server. */
  more?: { hasMore: boolean; isLoading: boolean; load: () => void };
  /** The server searches and sorts; the rows are shown as they come. */
  remote?: {
    search: string;
    onSearch: (text: string) => void;
    sort: Sort | undefined;
    onSort: (sort: Sort) => void;
    defaultSort?: Sort | undefined;
  };
  /** All rows there are, or that the search has found, when more than have been read. */
  total?: number | undefined;
  /** Every row that is shown, where only a part of them has been read: for copying and for the CSV. */
  readAll?: () => Promise<Row[]>;

  /** Name of the exported file, without `.csv`. */
  csvName?: string;
  /** The server's own file of the whole table, where the rows here are only a part. */
  csvUrl?: string | undefined;
  /** Height of the scrolling part; a long table scrolls in itself. */
  maxHeight?: string;
}
