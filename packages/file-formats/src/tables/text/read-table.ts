import { type ByteSource, memorySource } from '../../byte-source.ts';
import { GzipError } from '../../compression/gzip-error.ts';
import { compressionOf, inflatedBytes } from '../../compression/inflated-bytes.ts';
import { columnLabel, FileFormatError, ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { openText, TABLE_LIMITS, type TextLimits } from '../../text/text-file.ts';
import { headerKey } from './cell-values.ts';
import { detectSeparator, readRecords, type Separator, splitLine, type TableRow } from './delimited-text.ts';
import { openXlsx } from './xlsx-sheet.ts';

/** Most rows of one table. */
export const MAX_TABLE_ROWS = 5_000_000;

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
  /**
   * Passes every data row to `visit`, with as many cells as there are columns. A row of another width is E-ROW-WIDTH
   * and left out; empty rows are skipped; a table without rows is E-EMPTY, one with too many is E-TOO-LARGE.
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
  separator: Separator | null;
  headerLine: number;
  comments: string[];
  preamble: TableRow[];
  rows(visit: (row: TableRow) => boolean, problems: ProblemCollector): Promise<void>;
}

/**
 * Opens a table: .csv, .tsv, .txt (comma, tab or semicolon, detected from the header; RFC 4180 quotes) or the first
 * sheet of an .xlsx, each also gzipped; recognised by content, never by name. Adds W-ENCODING and E-COL-DUP to the
 * problems. Throws {@link FileFormatError} when reading is impossible: E-EMPTY, E-NO-HEADER, E-TYPE, E-TOO-LARGE,
 * E-GZIP, E-ENCODING.
 */
export async function openTable(source: ByteSource, options: TableOptions): Promise<Table> {
  const workbook = await workbookSource(source, options.signal);
  const rows = workbook === null ? await textRows(source, options) : await sheetRows(workbook, options);

  const head: TableRow[] = [];
  // Problems in the first rows are reported when all rows are read; here they would be counted twice.
  await rows.rows((row) => head.push(row) < 2, new ProblemCollector(0));
  const first = head[0];
  if (first === undefined) throw noHeader(rows.headerLine);
  const isHeaderless = options.hasHeader !== undefined && !options.hasHeader(first.cells);
  let names = isHeaderless ? first.cells.map(() => '') : withoutTrailingBlanks(first.cells);
  const second = head[1];
  if (options.allowRowNames && second !== undefined && names[0] !== '' && second.cells.length === names.length + 1) {
    if (second.cells.at(-1) !== '') names = ['', ...names];
  }
  const columns = names.map((name, index) => ({
    index,
    name,
    key: headerKey(name),
    label: columnLabel(name, index),
  }));

  return {
    columns,
    headerLine: first.line,
    comments: rows.comments,
    preamble: rows.preamble,
    isHeaderless,
    decimalComma: rows.separator !== ',',
    forEachRow: (visit) => forEachRow(rows, columns, isHeaderless ? 0 : first.line, options, visit),
  };
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
  columns: readonly TableColumn[],
  headerLine: number,
  { problems, signal, emptyCode = 'E-EMPTY' }: TableOptions,
  visit: (row: TableRow) => void,
): Promise<void> {
  const width = columns.length;
  let count = 0;
  await source.rows((row) => {
    if (row.line <= headerLine) return true;
    const { cells } = row;
    if (cells.every((cell) => cell === '')) return true;
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
  if (count === 0) {
    problems.error(emptyCode, {
      line: headerLine === 0 ? null : headerLine,
      message: 'The file has a header but no rows.',
      suggestion: 'Check that the right file or sheet was saved; the first sheet of a workbook is read.',
    });
  }
}

async function textRows(source: ByteSource, options: TableOptions): Promise<RowSource> {
  const text = await openText(source, options.limits ?? TABLE_LIMITS, options.signal);
  for (const warning of text.warnings) options.problems.add(warning);
  const comments: string[] = [];
  const preamble: TableRow[] = [];
  let fixed: Separator | null = null;
  let hasContent = false;
  for await (const { number, text: line } of text.lines()) {
    if (line.trim() === '') continue;
    // Excel reads and writes this line to declare the separator.
    const declared = hasContent ? null : /^"?sep=(.)"?$/i.exec(line);
    hasContent = true;
    if (declared !== null && (declared[1] === ',' || declared[1] === ';' || declared[1] === '\t')) {
      fixed = declared[1];
      continue;
    }
    const separator: Separator = fixed ?? detectSeparator(line, options.allowBlanks);
    const cells = splitLine(line, separator);
    assertRightKind(line, cells, options.expected, number);
    if (line.startsWith('#') && !options.isHeader?.(cells)) {
      comments.push(line.replace(/^#+\s*/, '').trim());
      continue;
    }
    if (options.isPreamble?.(cells, preamble)) {
      preamble.push({ line: number, cells });
      continue;
    }
    return {
      isText: true,
      separator,
      headerLine: number,
      comments,
      preamble,
      rows: (visit, problems) => readRecords(text, separator, problems, visit, number),
    };
  }
  throw hasContent ? noHeader(null) : emptyFile();
}

async function sheetRows(source: ByteSource, options: TableOptions): Promise<RowSource> {
  const sheet = await openXlsx(source);
  const comments: string[] = [];
  const preamble: TableRow[] = [];
  let hasContent = false;
  let headerLine: number | null = null;
  await sheet.forEachRow((row) => {
    hasContent = true;
    const { cells } = row;
    assertRightKind(cells.join('\t'), cells, options.expected, row.line);
    if (cells[0]?.startsWith('#') && !options.isHeader?.(cells))
      comments.push(
        cells
          .join(' ')
          .replace(/^#+\s*/, '')
          .trim(),
      );
    else if (options.isPreamble?.(cells, preamble)) preamble.push(row);
    else headerLine = row.line;
    return headerLine === null;
  }, options.signal);
  if (headerLine === null) throw hasContent ? noHeader(null) : emptyFile();
  const from: number = headerLine;
  return {
    isText: false,
    separator: null,
    headerLine: from,
    comments,
    preamble,
    rows: (visit) => sheet.forEachRow((row) => row.line < from || visit(row), options.signal),
  };
}

/** The bytes of a zip archive, which may be gzipped; null when the source is something else. */
async function workbookSource(source: ByteSource, signal: AbortSignal | undefined): Promise<ByteSource | null> {
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

function withoutTrailingBlanks(cells: readonly string[]): string[] {
  let length = cells.length;
  while (length > 1 && cells[length - 1] === '') length--;
  return cells.slice(0, length);
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
