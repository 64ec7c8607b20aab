import { csvCell } from '../../text/csv-cell.ts';

export type CsvValue = string | number | null | undefined;

/** Bytes of text gathered before a chunk is handed on. */
const CHUNK_LENGTH = 1 << 16;

/**
 * One record with its line end: RFC 4180 quoting, safe against formula injection, numbers plain (a negative number stays one).
 * Null, undefined, NaN and infinities are empty cells. A record of a single empty cell is written as `""`, which is no blank line.
 */
export function csvRow(cells: readonly CsvValue[]): string {
  if (cells.length === 1 && isEmpty(cells[0])) return '""\n';
  let row = '';
  for (let i = 0; i < cells.length; i++) row += (i === 0 ? '' : ',') + csvCell(cells[i] ?? null);
  return `${row}\n`;
}

/** A table as chunks of about 64 kB of CSV text, taken from `rows` as they are asked for: its length costs no memory. Null for a part without header. */
export function* csvChunks(
  header: readonly string[] | null,
  rows: Iterable<readonly CsvValue[]>,
): Generator<string, void, undefined> {
  let chunk = header === null ? '' : csvRow(header);
  for (const row of rows) {
    chunk += csvRow(row);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function isEmpty(cell: CsvValue): boolean {
  return cell === null || cell === undefined || cell === '' || (typeof cell === 'number' && !Number.isFinite(cell));
}
