/**
 * One cell of a CSV file: quoted by RFC 4180 when it holds a comma, quote or line break.
 * Text that a spreadsheet would run as a formula (first character = + - @, tab or CR) gets an apostrophe in front, as OWASP
 * ("CSV Injection") advises, which {@link unguarded} takes off again; numbers are written as they are, so negative numbers stay numbers. Null, NaN and
 * infinities are empty.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // Hardly any cell needs care, and a table has millions: one look decides.
  if (!/^'*[=+\-@\t\r]|[",\r\n]/.test(value)) return value;
  // A text that begins so by itself gets one more, or it would lose its own when it is read.
  const safe = /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A cell without the apostrophe that our own CSV files, and those of others, put before what a spreadsheet would run. */
export function unguarded(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE && /^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

const APOSTROPHE = 0x27;
