import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';

/** Records as CSV, in the columns named. */
export function recordsCsv<Name extends string>(
  columns: readonly Name[],
  records: readonly Readonly<Record<Name, CsvValue>>[],
): Iterable<string> {
  return csvChunks(
    [...columns],
    records.map((record) => columns.map((name) => record[name])),
  );
}
