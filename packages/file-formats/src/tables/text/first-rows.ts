import type { ByteSource } from '../../byte-source.ts';
import { sheetOfTable } from '../../move-in/layouts.ts';
import { FileFormatError } from '../../problem.ts';
import { openText } from '../../text/text-file.ts';
import { headerKey, isMissing } from './cell-values.ts';
import { detectSeparator, type Separator, splitLine, type TableRow } from './delimited-text.ts';
import { likelyNameColumn } from './likely-names.ts';
import { workbookSource } from './read-table.ts';
import {
  columnNames,
  type FirstRow,
  nameByPosition,
  placeOfHeader,
  type TableColumn,
  tableColumns,
} from './table-head.ts';
import {
  IGNORED_ROLE,
  keysOfRoleIn,
  type MappedTable,
  MEASURED_ROLE,
  otherRole,
  roleOfHeader,
  type TableMapping,
  tableLayout,
} from './table-mapping.ts';
import { openXlsx } from './xlsx-sheet.ts';

const MOST_ROWS = 40;
const MOST_SHEETS = 30;
const MOST_COLUMNS = 300;
const LONGEST_CELL = 200;
const LONGEST_LINE = 20_000;

/** The start of a table as it is written, kept so that a person can say how it is to be read. */
export interface FirstRows {
  /** Lines of a text; null for a workbook. */
  lines: { line: number; text: string }[] | null;
  /** Sheets of a workbook, in the order of their tabs; none for a text. */
  sheets: { name: string; rows: TableRow[] }[];
}

/** Null when the file is no table at all: empty, damaged, of another kind. */
export async function readFirstRows(source: ByteSource, signal?: AbortSignal): Promise<FirstRows | null> {
  try {
    const workbook = await workbookSource(source, signal);
    return workbook === null ? await ofText(source, signal) : await ofWorkbook(workbook, signal);
  } catch (error) {
    if (error instanceof FileFormatError) return null;
    throw error;
  }
}

async function ofText(source: ByteSource, signal: AbortSignal | undefined): Promise<FirstRows> {
  const lines: NonNullable<FirstRows['lines']> = [];
  const text = await openText(source, undefined, signal);
  for await (const { number, text: line } of text.lines()) {
    if (line.trim() !== '') lines.push({ line: number, text: line.slice(0, LONGEST_LINE) });
    if (lines.length >= MOST_ROWS) break;
  }
  return { lines, sheets: [] };
}

async function ofWorkbook(source: ByteSource, signal: AbortSignal | undefined): Promise<FirstRows> {
  const workbook = await openXlsx(source);
  const sheets: FirstRows['sheets'] = [];
  for (const name of workbook.names.slice(0, MOST_SHEETS)) {
    const rows: TableRow[] = [];
    try {
      await workbook.forEachRow((row) => rows.push(shortened(row)) < MOST_ROWS, signal, name);
    } catch (error) {
      // A sheet with a chart has no rows.
      if (!(error instanceof FileFormatError)) throw error;
      continue;
    }
    sheets.push({ name, rows });
  }
  return { lines: null, sheets };
}

const shortened = ({ line, cells }: TableRow): TableRow => ({
  line,
  cells: cells.slice(0, MOST_COLUMNS).map((cell) => cell.slice(0, LONGEST_CELL)),
});

/** How the start of a table is read under a mapping. */
export interface FirstRowsReading {
  sheets: string[];
  /** Null for a text. */
  sheet: string | null;
  /** Null for a workbook. */
  separator: Separator | null;
  /** 0 when a person said that there is none. */
  headerLine: number;
  headerRows: number;
  rows: TableRow[];
  /** The columns of the header, each with the role that a person gave it or that it probably has. */
  columns: { name: string; role: string }[];
}

/** Reads the start of a table as its reader does; what the mapping leaves out is found or guessed. */
export function describeFirstRows(first: FirstRows, table: MappedTable, mapping: TableMapping): FirstRowsReading {
  const layout = tableLayout(table, mapping);
  const wanted = mapping.sheet ?? sheetOfTable(first.sheets.map(({ name }) => name));
  const sheet = first.sheets.find(({ name }) => name === wanted) ?? first.sheets[0];
  const all = first.lines === null ? (sheet?.rows ?? []) : first.lines;
  const candidates = all.flatMap((row): FirstRow[] => {
    if ('cells' in row) return [{ ...row, separator: null }];
    const separator = mapping.separator ?? detectSeparator(row.text, table === 'LINKAGE_MAP');
    return row.text.startsWith('#') || /^"?sep=.?"?$/i.test(row.text)
      ? []
      : [{ line: row.line, cells: splitLine(row.text, separator), separator }];
  });
  const place = placeOfHeader(candidates, layout);
  const separator = candidates[place.index]?.separator ?? null;
  const rows = candidates.map((row) => {
    const text = first.lines?.find(({ line }) => line === row.line)?.text;
    return shortened(text === undefined || separator === null ? row : { ...row, cells: splitLine(text, separator) });
  });
  const hasNoHeader = mapping.headerLine === 0;
  const split = rows.map((row): FirstRow => ({ ...row, separator }));
  const names = hasNoHeader
    ? (rows[0]?.cells ?? []).map((_, index) => nameByPosition(index))
    : columnNames(split, place, layout);
  const sample = hasNoHeader ? rows : rows.slice(place.index + 1);
  return {
    sheets: first.sheets.map(({ name }) => name),
    sheet: sheet?.name ?? null,
    separator,
    headerLine: hasNoHeader ? 0 : (rows[place.index]?.line ?? 1),
    headerRows: hasNoHeader ? 1 : place.rows,
    rows,
    columns: rolesOf(names, table, mapping.roles ?? {}, sample),
  };
}

function rolesOf(
  names: readonly string[],
  table: MappedTable,
  told: Readonly<Record<string, string>>,
  sample: readonly TableRow[],
): FirstRowsReading['columns'] {
  const known = knownRoles(names, table, told);
  const isUnnamed = table === 'PHENOTYPE' && !known.includes('individual');
  const open: TableColumn[] = tableColumns(names, undefined).filter(({ index }) => known[index] === undefined);
  const likely = isUnnamed ? likelyNameColumn(open, sample) : undefined;
  return names.map((name, index) => {
    const role = known[index];
    if (role !== undefined) return { name, role };
    if (index === likely?.index) return { name, role: 'individual' };
    const isTrait = table === 'PHENOTYPE' && name !== '' && hasValues(sample, index);
    return { name, role: isTrait ? MEASURED_ROLE : name === '' ? IGNORED_ROLE : otherRole(table) };
  });
}

/** The roles that headers have by themselves, each only for the header that its reader prefers, and those told. */
function knownRoles(
  names: readonly string[],
  table: MappedTable,
  told: Readonly<Record<string, string>>,
): (string | undefined)[] {
  const keys = names.map(headerKey);
  const own = keys.map((key) => roleOfHeader(table, key));
  const rank = (index: number) => keysOfRoleIn(table, own[index] ?? '').indexOf(keys[index] ?? '');
  const isTold = new Set(names.flatMap((name) => (Object.hasOwn(told, name) ? [told[name]] : [])));
  return names.map((name, index) => {
    if (Object.hasOwn(told, name)) return told[name];
    const role = own[index];
    if (role === undefined || isTold.has(role)) return role === undefined ? undefined : otherRole(table);
    const isPreferred = own.every(
      (other, at) =>
        other !== role || at === index || rank(index) < rank(at) || (rank(index) === rank(at) && index < at),
    );
    return isPreferred ? role : otherRole(table);
  });
}

/** Whether most cells of a column are numbers that may be measured. */
function hasValues(sample: readonly TableRow[], index: number): boolean {
  const cells = sample.map(({ cells: row }) => row[index] ?? '').filter((cell) => !isMissing(cell));
  // Digits with a leading zero are a code, and 1, 2, 3 … the number of the row.
  const values = cells.filter((cell) => /^[-+−]?[\d.,]+(?:e[-+]?\d+)?$/i.test(cell) && !/^0\d/.test(cell));
  const isCount = cells.length > 2 && cells.every((cell, row) => Number(cell) === Number(cells[0]) + row);
  return values.length * 2 > cells.length && !isCount;
}
