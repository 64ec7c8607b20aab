import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { GERMINATE_SHEETS, type Layout, layoutOfHeader } from '@heterosis/file-formats/move-in/layouts';
import { type FileProblem, ProblemCollector } from '@heterosis/file-formats/problem';
import { detectSeparator, readRecords } from '@heterosis/file-formats/tables/text/delimited-text';
import { workbookSource } from '@heterosis/file-formats/tables/text/read-table';
import { openXlsx } from '@heterosis/file-formats/tables/text/xlsx-sheet';
import { openText, TABLE_LIMITS } from '@heterosis/file-formats/text/text-file';

/** A table of a file: a sheet of a workbook, or the whole of a text. */
export interface Sheet {
  /** Null for a text. */
  name: string | null;
  rows: string[][];
  /** Lines that could not be taken apart, such as one whose quote is not closed. */
  problems: FileProblem[];
}

/** A sheet whose layout is known: which row is its header. */
export interface KnownSheet extends Sheet {
  layout: Layout;
  header: number;
}

/** Titles above a header take no more rows. */
const MOST_ROWS_ABOVE = 25;

/** All sheets of a table, whose rows are held: no more than a table may have (200 MB). */
export async function readSheets(source: ByteSource, signal: AbortSignal | undefined): Promise<Sheet[]> {
  const workbook = await workbookSource(source, signal);
  if (workbook === null) return [{ name: null, ...(await textRows(source, signal)) }];
  const book = await openXlsx(workbook);
  const sheets: Sheet[] = [];
  for (const name of book.names) {
    const rows: string[][] = [];
    await book.forEachRow(({ cells }) => rows.push(cells) > 0, signal, name);
    sheets.push({ name, rows, problems: [] });
  }
  return sheets;
}

async function textRows(source: ByteSource, signal: AbortSignal | undefined): Promise<Omit<Sheet, 'name'>> {
  const text = await openText(source, TABLE_LIMITS, signal);
  const problems = new ProblemCollector();
  let separator: ReturnType<typeof detectSeparator> | undefined;
  for await (const { text: line } of text.lines()) {
    if (line.trim() === '') continue;
    separator = detectSeparator(line);
    break;
  }
  const rows: string[][] = [];
  await readRecords(text, separator ?? ',', problems, ({ cells }) => rows.push(cells.map((cell) => cell.trim())) > 0);
  return { rows, problems: [...text.warnings, ...problems.report().problems] };
}

/** The sheet with the row that is the header of a layout; null when no row of its start is one. */
export function knownSheet(sheet: Sheet, sheets: readonly Sheet[]): KnownSheet | null {
  const names = sheets.flatMap(({ name }) => name ?? []);
  // Templates come with examples, and describe their own sheets.
  if (sheet.name !== null && (isExample(sheet.name) || (isTemplate(names) && GERMINATE_SHEETS[sheet.name])))
    return null;
  for (const [header, cells] of sheet.rows.slice(0, MOST_ROWS_ABOVE).entries()) {
    const layout = layoutOfHeader(cells, names);
    if (layout !== undefined) return { ...sheet, layout, header };
  }
  return null;
}

export const isExample = (name: string): boolean => name.endsWith('_EXAMPLE');
export const isTemplate = (names: readonly string[]): boolean => names.includes('METADATA') && names.includes('DATA');
