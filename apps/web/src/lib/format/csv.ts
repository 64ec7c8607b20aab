export type CsvCell = string | number | boolean | null | undefined;

/**
 * A table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (OWASP, "CSV Injection"); numbers are left alone.
 */
export function toCsv(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A table for the clipboard: spreadsheets take tabs for columns. Guarded against formulas like `toCsv`. */
export function toTsv(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map((cell) => plainCell(cell).replace(/\s+/g, ' ')).join('\t')).join('\n');
}

function csvCell(value: CsvCell): string {
  const cell = plainCell(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function plainCell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
}
