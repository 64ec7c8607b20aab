import { type CsvValue, csvRow as writeRow } from '@heterosis/file-formats/tables/text/csv-writer';

/** One CSV record with its line end, quoted where needed and safe against formula injection. */
export function csvRow(cells: readonly CsvValue[]): string {
  return writeRow(cells);
}
