/**
 * One cell of a CSV file: quoted by RFC 4180 when it holds a comma, quote or line break.
 * Text that a spreadsheet would run as a formula (first character = + - @, tab or CR) gets an apostrophe in front, as OWASP
 * ("CSV Injection") advises; numbers are written as they are, so negative numbers stay numbers. Null, NaN and infinities are empty.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // Hardly any cell needs care, and a table has millions: one look decides.
  if (!/^[=+\-@\t\r]|[",\r\n]/.test(value)) return value;
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
