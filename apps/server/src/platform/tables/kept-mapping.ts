import type { MappedTable, TableMapping } from '@heterosis/contracts/data/table-mapping';
import { type FileProblem, fileProblem } from '@heterosis/file-formats/problem';
import { describeFirstRows, type FirstRows } from '@heterosis/file-formats/tables/text/first-rows';
import { readerMapping } from './reader-mapping.ts';

/** How an organization reads the tables of one type that have this header. */
export interface KeptMapping {
  header: string[];
  mapping: TableMapping;
  missing_codes: string[];
}

/** The kept mapping whose header a table has; its place in the file and the sheet may be others. */
export function keptFor(
  first: FirstRows,
  fileType: MappedTable,
  kept: readonly KeptMapping[],
): KeptMapping | undefined {
  for (const one of kept) {
    const { sheet, header_line, ...rest } = one.mapping;
    const known = sheet !== undefined && first.sheets.some(({ name }) => name === sheet);
    const mapping: TableMapping = { ...rest, ...(known ? { sheet } : {}) };
    const rows = describeFirstRows(first, fileType, readerMapping(mapping)).rows;
    const lines = header_line === 0 ? [0] : [...new Set([header_line, ...rows.map(({ line }) => line)])];
    for (const line of lines) {
      const placed = { ...mapping, ...(line === undefined ? {} : { header_line: line }) };
      const { columns } = describeFirstRows(first, fileType, readerMapping(placed));
      if (columns.length === one.header.length && columns.every(({ name }, index) => name === one.header[index]))
        return { ...one, mapping: placed };
    }
  }
  return undefined;
}

/** What the report of a table says that was read by a kept mapping. */
export const readAsKept = ({ header }: KeptMapping): FileProblem =>
  fileProblem('info', 'I-LAYOUT', {
    value: header.join(', '),
    message: 'The columns were read as those of earlier files with the same header.',
    suggestion: 'Nothing to do if this is right; otherwise change what the columns hold.',
  });
