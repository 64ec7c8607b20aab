/**
 * One cell of a CSV file, quoted as in RFC 4180 when it holds a comma, quote or line break. Text that a spreadsheet
 * would run as a formula (first character = + - @, also in full width, tab, CR or LF) gets a leading apostrophe, as
 * OWASP ("CSV Injection") advises; {@link unguarded} removes it. Numbers are written unchanged, so negative numbers
 * stay numbers. Null, NaN and infinities are empty.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // A table has millions of cells and hardly any needs quoting or guarding: a single test settles the rest.
  if (!/^'*[=+\-@\t\r＝＋－＠]|[",\r\n]/.test(value)) return value;
  const safe = guarded(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text with the apostrophe that {@link csvCell} gives it. */
function guarded(value: string): string {
  // Text that already begins with an apostrophe gets another, because reading removes one.
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
}

/** A cell of a table whose columns tabs part: without tabs and line breaks, guarded unless it is a number. */
export function tsvCell(value: string): string {
  const line = value.replace(/[\t\r\n]+/g, ' ');
  return Number.isNaN(Number(line)) ? guarded(line) : line;
}

/** A cell without the apostrophe that guards against formulas, in our CSV files and in those of other programs. */
export function unguarded(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE && /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

const APOSTROPHE = 0x27;
