import { columnRole, type FirstRows, type firstRowsQuery, type TableMapping } from '@heterosis/contracts/table-mapping';
import type * as z from 'zod';
import type { ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { getFileRow } from './files.service.ts';
import { describeTable, firstRowsOf, mappedType, namesOf } from './keep-mapping.ts';
import { hasKeptMapping } from './kept-mappings.queries.ts';

/** `GET …/files/{id}/first_rows`: as the query says; without one as the file was last told to be read. */
export async function getFirstRows(
  { db, storage }: Services,
  { projectId, organizationId }: ProjectAccess,
  id: string,
  query: z.output<typeof firstRowsQuery>,
): Promise<FirstRows> {
  const file = await getFileRow(db, projectId, id);
  const fileType = mappedType(file.file_type);
  const { options, kept_mapping: kept } = file.meta;
  const told = options?.mapping ?? kept?.mapping ?? {};
  const mapping: TableMapping = Object.keys(query).length === 0 ? told : query;
  const reading = describeTable(await firstRowsOf(storage, file), fileType, mapping);
  return {
    sheets: reading.sheets,
    sheet: reading.sheet,
    separator: reading.separator,
    header_line: reading.headerLine,
    header_rows: reading.headerRows,
    rows: reading.rows,
    columns: reading.columns.map(({ name, role }) => ({ name, role: columnRole.parse(role) })),
    decimal_mark: told.decimal_mark ?? null,
    missing_codes: options?.missing_codes ?? kept?.missing_codes ?? [],
    remembered: await hasKeptMapping(db, organizationId, fileType, namesOf(reading)),
  };
}
