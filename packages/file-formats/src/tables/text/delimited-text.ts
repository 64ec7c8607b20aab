import type { ProblemCollector } from '../../problem.ts';
import { unguarded } from '../../text/csv-cell.ts';
import type { TextFile } from '../../text/text-file.ts';

/**
 * One record of a table: the line it begins on (1-based) and its cells, trimmed (non-breaking spaces too) and unquoted.
 */
export interface TableRow {
  line: number;
  cells: string[];
}

export type Separator = ',' | '\t' | ';' | '|' | ' ';

/** A quoted cell may run over this many lines; beyond that its closing quote counts as missing. */
const MAX_LINES_OF_A_CELL = 100;

/**
 * The separator of a header line: the most frequent of tab, semicolon and comma outside quotes, in that order when
 * equal; the bar (`|`) when there is none of these, since it also stands in the names of traits. Runs of blanks are the
 * separator only when none of all these occurs and `allowBlanks` is set (PLINK `.map` files).
 */
export function detectSeparator(header: string, allowBlanks = false): Separator {
  const counts = new Map<Separator, number>([
    ['\t', 0],
    [';', 0],
    [',', 0],
    ['|', 0],
  ]);
  let inQuotes = false;
  for (const character of header) {
    if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && counts.has(character as Separator)) {
      counts.set(character as Separator, (counts.get(character as Separator) ?? 0) + 1);
    }
  }
  let best: Separator = ',';
  let most = 0;
  for (const [separator, count] of counts) {
    if (separator === '|' ? most === 0 && count > 0 : count > most) {
      best = separator;
      most = count;
    }
  }
  return most === 0 && allowBlanks && /\S\s+\S/.test(header) ? ' ' : best;
}

/**
 * Splits text into records by RFC 4180 and passes them to `visit` until it returns false. Quoted cells may hold
 * separators, line breaks and doubled quotes; a quote inside an unquoted cell is an ordinary character (`5" pot`). A
 * quote that is never closed is E-QUOTE at the line where it opens; that line is left out and reading continues with
 * the next one, so that one stray quote does not hide every later problem. Blank lines and lines before `fromLine` are
 * skipped.
 */
export async function readRecords(
  text: TextFile,
  separator: Separator,
  problems: ProblemCollector,
  visit: (row: TableRow) => boolean,
  fromLine = 1,
): Promise<void> {
  let open: { line: number; text: string }[] = [];
  const reading = { goOn: true };

  const feed = (line: number, lineText: string): void => {
    if (open.length === 0) {
      if (!lineText.includes('"')) {
        if (!isBlank(lineText)) reading.goOn = visit({ line, cells: splitPlain(lineText, separator) });
        return;
      }
    }
    open.push({ line, text: lineText });
    // Only a line with a quote can close an open cell. Parsing again at every line would take quadratic time for long
    // cells.
    if (open.length > 1 && !lineText.includes('"')) {
      if (open.length > MAX_LINES_OF_A_CELL) giveUp();
      return;
    }
    const cells = splitQuoted(open.map((part) => part.text).join('\n'), separator);
    if (cells !== null) {
      const first = open[0];
      open = [];
      if (first !== undefined) reading.goOn = visit({ line: first.line, cells });
    } else if (open.length > MAX_LINES_OF_A_CELL) {
      giveUp();
    }
  };

  /** Reports the line with the unclosed quote and reads the lines after it again, one by one. */
  const giveUp = (): void => {
    const [first, ...rest] = open;
    open = [];
    if (first === undefined) return;
    problems.error('E-QUOTE', {
      line: first.line,
      value: first.text,
      message: 'A quoted cell begins on this line and is never closed.',
      suggestion: 'Add the missing " or remove the extra one. The row was left out.',
    });
    for (const part of rest) if (reading.goOn) feed(part.line, part.text);
  };

  for await (const { number, text: lineText } of text.lines()) {
    if (number < fromLine) continue;
    feed(number, lineText);
    if (!reading.goOn) return;
  }
  while (open.length > 0 && reading.goOn) giveUp();
}

/** Cells of one line that is known to be complete, such as a header. */
export function splitLine(line: string, separator: Separator): string[] {
  return splitQuoted(line, separator) ?? splitPlain(line, separator);
}

function isBlank(text: string): boolean {
  return text.length === 0 || text.trim() === '';
}

function splitPlain(text: string, separator: Separator): string[] {
  if (separator === ' ') return text.trim().split(/\s+/);
  const cells = text.split(separator);
  for (let i = 0; i < cells.length; i++) cells[i] = cleaned(cells[i]);
  return cells;
}

/** Cells of a record with quotes; null when its last quoted cell is not closed. */
function splitQuoted(text: string, separator: Separator): string[] | null {
  const isSeparator = separator === ' ' ? (at: number) => /\s/.test(text[at]) : (at: number) => text[at] === separator;
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    // Skip blanks before a quote: people type `a, "b"`.
    let start = at;
    while (start < text.length && (text[start] === ' ' || text[start] === '\u00a0')) start++;
    let cell = '';
    if (text[start] === '"') {
      at = start + 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return null;
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    }
    const rest = at;
    while (at < text.length && !isSeparator(at)) at++;
    cells.push(cleaned(cell + text.slice(rest, at)));
    if (at >= text.length) return cells;
    at++;
  }
}

function cleaned(cell: string): string {
  return unguarded(cell.trim());
}
