import type { TableMapping as TableMappingBody } from '@heterosis/contracts/data/table-mapping';
import type { TableMapping } from '@heterosis/file-formats/tables/text/table-mapping';

/** A mapping as the reader takes it. */
export function readerMapping(mapping: TableMappingBody): TableMapping {
  const { sheet, separator, header_line: headerLine, header_rows: headerRows, decimal_mark: decimalMark } = mapping;
  return {
    ...(sheet === undefined ? {} : { sheet }),
    ...(separator === undefined ? {} : { separator }),
    ...(headerLine === undefined ? {} : { headerLine }),
    ...(headerRows === undefined ? {} : { headerRows }),
    ...(decimalMark === undefined ? {} : { decimalMark }),
    ...(mapping.columns === undefined
      ? {}
      : { roles: Object.fromEntries(mapping.columns.map(({ name, role }) => [name, role])) }),
  };
}
