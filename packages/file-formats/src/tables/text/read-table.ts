import { type ByteSource, memorySource } from '../../byte-source.ts';
import { GzipError } from '../../compression/gzip-error.ts';
import { compressionOf, inflatedBytes } from '../../compression/inflated-bytes.ts';
import { sheetOfTable } from '../../move-in/layouts.ts';
import { columnsByProgram } from '../../move-in/program-columns.ts';
import { FileFormatError, ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { openText, TABLE_LIMITS, type TextLimits } from '../../text/text-file.ts';
import { parseNumber } from './cell-values.ts';
import { detectSeparator, readRecords, type Separator, splitLine, type TableRow } from './delimited-text.ts';
import { createLeaveOut } from './leave-out.ts';
import {
  columnNames,
  type FirstRow,
  firstRowCount,
  type HeaderPlace,
  nameByPosition,
  placeOfHeader,
  type TableColumn,
  tableColumns,
} from './table-head.ts';
import type { TableLayout } from './table-mapping.ts';
import { openXlsx } from './xlsx-sheet.ts';

export type { TableColumn } from './table-head.ts';

/** Most rows of one table. */
export const MAX_TABLE_ROWS = 5_000_000;

/** A table whose header was found; the rows are read on demand. */
export interface Table {
  columns: TableColumn[];
  headerLine: number;
  /** Lines starting with `#` before the header, without that sign, trimmed. */
  comments: string[];
  /** Rows before the header that the caller claimed with `isPreamble`. */
  preamble: TableRow[];
  /** True when the header is missing and the columns go by position. */
  isHeaderless: boolean;
  /** True when decimals may be written with a comma: the separator is not a comma. */
  decimalComma: boolean;
  /** The number in a cell by the table's mark of decimals; NaN when it is none. */
  numberOf(cell: string): number;
  /** The first rows below the header, for a guess at what the columns hold; none without a layout. */
  sample: readonly TableRow[];
  /** True for a sheet of a workbook. */
  isSheet: boolean;
  /**
   * Passes every data row to `visit`, with as many cells as there are columns. A row of another width is E-ROW-WIDTH
   * and left out; empty rows are skipped; a table without rows is E-EMPTY, one with too many is E-TOO-LARGE. What the
   * mapping leaves out is told with I-LEFT-OUT.
   */
  forEachRow(visit: (row: TableRow) => void): Promise<void>;
}

export interface TableOptions {
  problems: ProblemCollector;
  /** What the file was uploaded as, for the message of E-TYPE: `a phenotype file`. */
  expected: string;
  /** Claims rows before the header (TASSEL's type rows). */
  isPreamble?: (cells: string[], preamble: readonly TableRow[]) => boolean;
  /** True when a line starting with `#` is the header nevertheless (`#CHROM`). */
  isHeader?: (cells: string[]) => boolean;
  /** False when the first row is data already; the columns then go by position and have no name. */
  hasHeader?: (cells: string[]) => boolean;
  /** Finds the header below titles, and takes what a person says of the columns. Without it: the first row. */
  layout?: TableLayout;
  /** Takes columns that Breedbase, BMS and Germinate write for those of ours that they are, see `columnsByProgram`. */
  byProgram?: boolean;
  /** Accepts runs of blanks as separator when there is no other. */
  allowBlanks?: boolean;
  /**
   * R's write.table leaves out the header of the row names; when set, a header one cell short gets an empty first cell.
   */
  allowRowNames?: boolean;
  /** Code of a table without rows; E-EMPTY by default. */
  emptyCode?: string;
  /** Of a text file; {@link TABLE_LIMITS} by default. */
  limits?: TextLimits;
  signal?: AbortSignal | undefined;
}

/** Rows of a text file or a sheet, from a line on; `visit` returns false to stop. */
interface RowSource {
  isText: boolean;
  /** All sheets of the workbook; none of a text. */
  sheets: readonly string[];
  separator: Separator | null;
  /** The first rows that are neither comments nor preamble, and which of them is the header. */
  first: FirstRow[];
  header: HeaderPlace;
  comments: string[];
  preamble: TableRow[];
  rows(visit: (row: TableRow) => boolean, problems: ProblemCollector): Promise<void>;
}

/** Rows that tell what the columns hold. */
const SAMPLE_ROWS = 60;

/**
 * Opens a table: .csv, .tsv, .txt (comma, tab, semicolon or bar, detected from the header; RFC 4180 quotes) or a sheet
 * of an .xlsx, each also gzipped; recognised by content, never by name. With a layout the header is found below titles,
 * and columns have the roles that a person gave them. Adds W-ENCODING, E-COL-DUP, I-HEADER-ROW, I-SHEETS and
 * E-COL-UNKNOWN to the problems. Throws {@link FileFormatError} when reading is impossible: E-EMPTY, E-NO-HEADER,
 * E-SHEET, E-TYPE, E-TOO-LARGE, E-GZIP, E-ENCODING.
 */
export async function openTable(source: ByteSource, options: TableOptions): Promise<Table> {
  const { layout, problems } = options;
  const workbook = await workbookSource(source, options.signal);
  const rows = workbook === null ? await textRows(source, options) : await sheetRows(workbook, options);
  const { line: headerLine, cells: headerCells } = rows.first[rows.header.index] as FirstRow;
  const isDeclaredHeaderless = layout?.mapping?.headerLine === 0;
  const hasNoHeader = options.hasHeader !== undefined && !options.hasHeader(headerCells);
  const isHeaderless = layout?.mapping?.headerLine === undefined && hasNoHeader;

  const head: TableRow[] = [];
  const wanted = layout === undefined ? 2 : SAMPLE_ROWS;
  // Problems in the first rows are reported when all rows are read; here they would be counted twice.
  await rows.rows((row) => head.push(row) < wanted, new ProblemCollector(0));
  const first = head[0];
  if (first === undefined) throw noHeader(headerLine);
  let names = isHeaderless
    ? first.cells.map(() => '')
    : isDeclaredHeaderless
      ? first.cells.map((_, index) => nameByPosition(index))
      : rows.header.rows > 1
        ? columnNames(rows.first, rows.header, layout)
        : columnNames([{ ...first, separator: null }], { index: 0, rows: 1 }, layout);
  const second = head[1];
  if (options.allowRowNames && second !== undefined && names[0] !== '' && second.cells.length === names.length + 1) {
    if (second.cells.at(-1) !== '') names = ['', ...names];
  }
  const told = tableColumns(names, layout);
  const place = { layout, sheets: rows.sheets, headerLine: first.line, problems };
  const columns = options.byProgram === true ? columnsByProgram(told, place) : told;
  const decimalMark = layout?.mapping?.decimalMark;
  const decimalComma = decimalMark === undefined ? rows.separator !== ',' : decimalMark === ',';
  const firstDataLine = isHeaderless || isDeclaredHeaderless ? 0 : first.line;
  reportPlace(rows, names, options);
  if (layout !== undefined) reportUnknownColumns(layout, names, first.line, problems);

  return {
    columns,
    headerLine: first.line,
    comments: rows.comments,
    preamble: rows.preamble,
    isHeaderless,
    decimalComma,
    numberOf: (cell) => parseNumber(decimalMark === undefined ? cell : ungrouped(cell, decimalMark), decimalComma),
    sample: head.filter(({ line }) => line > firstDataLine),
    isSheet: !rows.isText,
    forEachRow: (visit) => forEachRow(rows, names.length, firstDataLine, options, visit),
  };
}

/** A number without the marks between its thousands; any other cell as it is. */
function ungrouped(cell: string, decimalMark: ',' | '.'): string {
  const isGrouped =
    decimalMark === ','
      ? /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(cell)
      : /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(cell);
  return isGrouped ? cell.replaceAll(decimalMark === ',' ? '.' : ',', '') : cell;
}

/** Tells where the header was found, when that is not the first row. */
function reportPlace({ first, header }: RowSource, names: readonly string[], { layout, problems }: TableOptions): void {
  if (layout === undefined || layout.mapping?.headerLine !== undefined) return;
  const above = first.slice(0, header.index - header.rows + 1);
  if (above.length === 0 && header.rows === 1) return;
  const place = first[header.index];
  const upper = first[header.index - header.rows + 1];
  const titles = above.map(({ cells }) => cells.filter((cell) => cell !== '').join(' ')).join(' | ');
  problems.info('I-HEADER-ROW', {
    line: place?.line ?? null,
    value: titles === '' ? names.join(', ') : titles,
    message:
      header.rows > 1
        ? `The header was found on rows ${upper?.line} to ${place?.line}, whose cells were joined: ${names.slice(0, 8).join(', ')}.`
        : `The header was found on row ${place?.line}; the rows above it were taken as titles.`,
    suggestion: 'Nothing to do if this is right; otherwise say which row is the header.',
  });
}

/** E-COL-UNKNOWN for columns that a person gave a role and that the file does not have. */
function reportUnknownColumns(
  { mapping }: TableLayout,
  names: readonly string[],
  headerLine: number,
  problems: ProblemCollector,
): void {
  for (const name of Object.keys(mapping?.roles ?? {})) {
    if (names.includes(name)) continue;
    problems.error('E-COL-UNKNOWN', {
      line: headerLine,
      value: name,
      message: `The file has no column "${name}", which was given a role.`,
      suggestion: 'Say again which row is the header and what its columns hold.',
    });
  }
}

/** Adds E-COL-DUP for every column whose header repeats an earlier one. */
export function reportDuplicateColumns(
  columns: readonly TableColumn[],
  headerLine: number,
  problems: ProblemCollector,
): void {
  const first = new Map<string, TableColumn>();
  for (const column of columns) {
    if (column.key === '') continue;
    const earlier = first.get(column.key);
    if (earlier === undefined) {
      first.set(column.key, column);
      continue;
    }
    problems.error('E-COL-DUP', {
      line: headerLine,
      column: column.label,
      value: column.name,
      message: `The columns ${earlier.label} and ${column.label} have the same header.`,
      suggestion: 'Rename or remove one of them.',
    });
  }
}

/**
 * The column that matches a list of spellings (as {@link headerKey} makes them); an earlier spelling takes precedence.
 * Undefined when none matches.
 */
export function findColumn(columns: readonly TableColumn[], spellings: readonly string[]): TableColumn | undefined {
  for (const spelling of spellings) {
    const column = columns.find(({ key }) => key === spelling);
    if (column !== undefined) return column;
  }
  return undefined;
}

/** Adds W-COL-IGNORED for columns that no rule uses. */
export function reportIgnoredColumns(
  columns: readonly TableColumn[],
  headerLine: number,
  problems: ProblemCollector,
): void {
  for (const column of columns) {
    problems.warning('W-COL-IGNORED', {
      line: headerLine,
      column: column.label,
      value: column.name,
      message:
        column.name === ''
          ? 'This column has no header and is ignored.'
          : `The column "${column.name}" is not used here and is ignored.`,
      suggestion: 'Nothing to do if you do not need it; otherwise check the spelling of its header.',
    });
  }
}

async function forEachRow(
  source: RowSource,
  width: number,
  headerLine: number,
  { problems, signal, emptyCode = 'E-EMPTY', layout }: TableOptions,
  visit: (row: TableRow) => void,
): Promise<void> {
  const leaveOut = createLeaveOut(layout?.mapping?.leftOut);
  let count = 0;
  await source.rows((row) => {
    if (row.line <= headerLine) return true;
    const { cells } = row;
    if (cells.every((cell) => cell === '')) return true;
    if (!leaveOut.keeps(row)) return true;
    if (++count > MAX_TABLE_ROWS) {
      problems.error('E-TOO-LARGE', {
        line: row.line,
        message: `The table has more than ${groupedNumber(MAX_TABLE_ROWS)} rows.`,
        suggestion: 'Split the file.',
      });
      return false;
    }
    if ((count & 4095) === 0) signal?.throwIfAborted();
    while (cells.length > width && cells[cells.length - 1] === '') cells.pop();
    if (cells.length < width && !source.isText) while (cells.length < width) cells.push('');
    if (cells.length === width) {
      visit(row);
    } else {
      problems.error('E-ROW-WIDTH', {
        line: row.line,
        value: cells.join(' | '),
        message: `The row has ${cells.length} ${cells.length === 1 ? 'field' : 'fields'}, the header has ${width}.`,
        suggestion:
          cells.length > width
            ? 'Put text that contains the separator in quotes, or remove the extra fields.'
            : 'Fill in the missing fields; a field may be empty but its separator must be there.',
      });
    }
    return true;
  }, problems);
  leaveOut.report(problems);
  if (count === 0) {
    problems.error(emptyCode, {
      line: headerLine === 0 ? null : headerLine,
      message: 'The file has a header but no rows.',
      suggestion: 'Check that the right file or sheet was saved.',
    });
  }
}

async function textRows(source: ByteSource, options: TableOptions): Promise<RowSource> {
  const text = await openText(source, options.limits ?? TABLE_LIMITS, options.signal);
  for (const warning of text.warnings) options.problems.add(warning);
  const start = new StartOfTable(options);
  let fixed: Separator | null = options.layout?.mapping?.separator ?? null;
  let hasContent = false;
  for await (const { number, text: line } of text.lines()) {
    if (line.trim() === '') continue;
    // Excel reads and writes this line to declare the separator.
    const declared = hasContent ? null : /^"?sep=(.)"?$/i.exec(line);
    hasContent = true;
    if (declared !== null && isSeparator(declared[1])) {
      fixed ??= declared[1];
      continue;
    }
    const separator: Separator = fixed ?? detectSeparator(line, options.allowBlanks);
    if (!start.add({ line: number, cells: splitLine(line, separator), separator }, line)) break;
  }
  const { first, header, comments, preamble } = start.end(hasContent);
  const { separator, line: from } = first[header.index] as FirstRow;
  return {
    isText: true,
    sheets: [],
    separator,
    ...{ first, header, comments, preamble },
    rows: (visit, problems) => readRecords(text, separator ?? ',', problems, visit, from),
  };
}

async function sheetRows(source: ByteSource, options: TableOptions): Promise<RowSource> {
  const wanted = options.layout?.mapping?.sheet;
  const opened = await openXlsx(source, wanted);
  // In workbooks of other programs the table stands behind sheets that describe it.
  const known = options.layout === undefined || wanted !== undefined ? undefined : sheetOfTable(opened.names);
  const sheet = known === undefined || known === opened.name ? opened : await openXlsx(source, known);
  if (options.layout !== undefined && sheet.names.length > 1 && options.layout.mapping?.sheet === undefined) {
    options.problems.info('I-SHEETS', {
      value: sheet.names.join(', '),
      message: `The workbook has ${sheet.names.length} sheets; "${sheet.name}" was read.`,
      suggestion: 'Nothing to do if this is the right one; otherwise choose the sheet.',
    });
  }
  const start = new StartOfTable(options);
  let hasContent = false;
  await sheet.forEachRow((row) => {
    hasContent = true;
    return start.add({ ...row, separator: null }, row.cells.join('\t'));
  }, options.signal);
  const { first, header, comments, preamble } = start.end(hasContent);
  const from = (first[header.index] as FirstRow).line;
  return {
    isText: false,
    sheets: sheet.names,
    separator: null,
    ...{ first, header, comments, preamble },
    rows: (visit) => sheet.forEachRow((row) => row.line < from || visit(row), options.signal),
  };
}

const isSeparator = (text: string | undefined): text is Separator =>
  text === ',' || text === ';' || text === '\t' || text === '|';

/** Gathers comments, preamble and the first rows of a table. */
class StartOfTable {
  readonly #options: TableOptions;
  readonly #wanted: number;
  readonly #first: FirstRow[] = [];
  readonly #comments: { line: number; text: string }[] = [];
  readonly #preamble: TableRow[] = [];

  constructor(options: TableOptions) {
    this.#options = options;
    this.#wanted = firstRowCount(options.layout);
  }

  /** `text` is the row as it is written. False when enough rows are known. */
  add(row: FirstRow, text: string): boolean {
    const { expected, isHeader, isPreamble } = this.#options;
    const { line, cells } = row;
    if (this.#first.length === 0) assertRightKind(text, cells, expected, line);
    if (cells[0]?.startsWith('#') && !isHeader?.(cells)) {
      this.#comments.push({
        line,
        text: (row.separator === null ? cells.join(' ') : text).replace(/^#+\s*/, '').trim(),
      });
    } else if (this.#first.length === 0 && isPreamble?.(cells, this.#preamble)) {
      this.#preamble.push({ line, cells });
    } else {
      this.#first.push(row);
    }
    return this.#first.length < this.#wanted;
  }

  /** Throws when no row can be a header. */
  end(hasContent: boolean): Pick<RowSource, 'first' | 'header' | 'comments' | 'preamble'> {
    if (this.#first.length === 0) throw hasContent ? noHeader(null) : emptyFile();
    const header = placeOfHeader(this.#first, this.#options.layout);
    const from = this.#first[header.index]?.line ?? 0;
    return {
      first: this.#first,
      header,
      // Below the header a "#" is data.
      comments: this.#comments.filter(({ line }) => line < from).map(({ text }) => text),
      preamble: this.#preamble,
    };
  }
}

/** The bytes of a zip archive, which may be gzipped; null when the source is something else. */
export async function workbookSource(source: ByteSource, signal: AbortSignal | undefined): Promise<ByteSource | null> {
  const head = await source.read(0, 512);
  if (isZip(head)) {
    if (source.size > TABLE_LIMITS.maxCompressedBytes) throw tooLarge();
    return source;
  }
  if (compressionOf(head) === 'none') return null;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of inflatedBytes(source, { maxInflatedBytes: TABLE_LIMITS.maxCompressedBytes, signal })) {
      chunks.push(chunk);
      if (!isZip(chunks[0])) return null;
    }
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    // The text reader finds the same damage and reports it.
    return null;
  }
  return chunks.length === 0 ? null : memorySource(Buffer.concat(chunks), source.name);
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** Refuses genotype files that were uploaded as a table. */
function assertRightKind(line: string, cells: string[], expected: string, lineNumber: number): void {
  let kind: string | null = null;
  if (/^##fileformat=VCF/i.test(line)) kind = 'a VCF file';
  else if (/^#CHROM$/i.test(cells[0]) && /^REF$/i.test(cells[3] ?? '') && /^ALT$/i.test(cells[4] ?? ''))
    kind = 'a VCF file';
  else if (/^rs#?$/i.test(cells[0]) && /^alleles$/i.test(cells[1] ?? '') && /^strand$/i.test(cells[4] ?? ''))
    kind = 'a HapMap file';
  else if (/^#\s*fjFile\s*=\s*GENOTYPE/i.test(line)) kind = 'a Flapjack genotype file';
  else if (/^\s*<(?:!doctype|html|\?xml)/i.test(line)) kind = 'a web page or an XML file';
  else if (/^\s*\{\s*(?:"|$)/.test(line)) kind = 'a JSON file';
  if (kind === null) return;
  throw new FileFormatError('E-TYPE', {
    line: lineNumber,
    value: line,
    message: `This is ${kind}; you chose ${expected}.`,
    suggestion: 'Choose the right type of file, or another file.',
  });
}

function emptyFile(): FileFormatError {
  return new FileFormatError('E-EMPTY', {
    message: 'The file is empty.',
    suggestion: 'Choose the file again; it had no content.',
  });
}

function noHeader(line: number | null): FileFormatError {
  return new FileFormatError('E-NO-HEADER', {
    line,
    message: 'The file has no header row with the names of the columns.',
    suggestion: 'Put the names of the columns in the first row.',
  });
}

function tooLarge(): FileFormatError {
  return new FileFormatError('E-TOO-LARGE', {
    message: `The workbook is larger than ${TABLE_LIMITS.maxCompressedBytes / 1e6} MB.`,
    suggestion: 'Save the sheet as CSV, or split it.',
  });
}
