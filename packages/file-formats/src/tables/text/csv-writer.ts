import { csvCell } from '../../text/csv-cell.ts';

export type CsvValue = string | number | null | undefined;

/** Characters collected before a chunk is yielded. */
const CHUNK_LENGTH = 1 << 16;

/**
 * One record with its line end: RFC 4180 quoting, safe against formula injection, numbers plain (a negative number
 * stays one). Null, undefined, NaN and infinities are empty cells. A record of one empty cell is written as `""`:
 * readers skip a blank line.
 */
export function csvRow(cells: readonly CsvValue[]): string {
  if (cells.length === 1 && isEmpty(cells[0])) return '""\n';
  let row = '';
  for (let i = 0; i < cells.length; i++) row += (i === 0 ? '' : ',') + csvCell(cells[i] ?? null);
  return `${row}\n`;
}

/**
 * Streams a table as chunks of about 64 kB of CSV text. Rows are consumed as chunks are requested, so memory does not
 * grow with the table. A null header writes none.
 */
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
