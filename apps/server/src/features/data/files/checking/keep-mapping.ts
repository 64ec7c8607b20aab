import { FILE_TYPES, type FileType } from '@heterosis/contracts/data/files';
import {
  COLUMN_ROLES,
  columnRole,
  type FirstRows as FirstRowsBody,
  type firstRowsQuery,
  type MappedTable,
  REPEATED_ROLES,
  type TableMapping,
} from '@heterosis/contracts/data/table-mapping';
import {
  describeFirstRows,
  type FirstRows,
  type FirstRowsReading,
} from '@heterosis/file-formats/tables/text/first-rows';
import type * as z from 'zod';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { readObject } from '../../../../platform/object-storage/stored-panel.ts';
import type { KeptMapping } from '../../../../platform/tables/kept-mapping.ts';
import { readerMapping } from '../../../../platform/tables/reader-mapping.ts';
import type { FileRow } from '../files.queries.ts';
import { deleteKeptMapping, hasKeptMapping, upsertKeptMapping } from './kept-mappings.queries.ts';

/** A table whose first rows are known, and the organization that it belongs to. */
export interface KnownTable {
  organizationId: string;
  fileType: MappedTable;
  first: FirstRows;
}

/** Keeps a mapping for all files of the organization with the header that this table has under it, or forgets it. */
export async function keepMapping(
  trx: DatabaseTransaction,
  { organizationId, fileType, first }: KnownTable,
  { userId }: { userId: string },
  { mapping, missing_codes, isRemembered }: Omit<KeptMapping, 'header'> & { isRemembered: boolean },
): Promise<void> {
  const header = namesOf(describeTable(first, fileType, mapping));
  if (!isRemembered) return await deleteKeptMapping(trx, organizationId, fileType, header);
  await upsertKeptMapping(trx, { organizationId, fileType, createdBy: userId }, { header, mapping, missing_codes });
}

/** Refuses roles that columns of such a table do not have. */
export function requireRoles(fileType: MappedTable, mapping: TableMapping): void {
  const roles: readonly string[] = [...COLUMN_ROLES[fileType], ...REPEATED_ROLES[fileType]];
  const wrong = mapping.columns?.find(({ role }) => !roles.includes(role));
  if (wrong === undefined) return;
  const noun = fileType === 'GERMPLASM' ? 'germplasm file' : FILE_TYPES[fileType].noun;
  throw new Problem('request/invalid', `A ${noun} has no column in the role "${wrong.role}".`, {
    invalidParams: [{ name: 'body.mapping.columns', reason: `"${wrong.name}" has the role "${wrong.role}"` }],
  });
}

const describeTable = (first: FirstRows, fileType: MappedTable, mapping: TableMapping): FirstRowsReading =>
  describeFirstRows(first, fileType, readerMapping(mapping));

const namesOf = ({ columns }: FirstRowsReading): string[] => columns.map(({ name }) => name);

/** How the start of a table is read: as the query says; without one as it was last told to be read. */
export async function firstRowsAnswer(
  db: Queryable,
  { organizationId, fileType, first }: KnownTable,
  { mapping: told, missing_codes }: Omit<KeptMapping, 'header'>,
  query: z.output<typeof firstRowsQuery>,
): Promise<FirstRowsBody> {
  const mapping: TableMapping = Object.keys(query).length === 0 ? told : query;
  const reading = describeTable(first, fileType, mapping);
  return {
    sheets: reading.sheets,
    sheet: reading.sheet,
    separator: reading.separator,
    header_line: reading.headerLine,
    header_rows: reading.headerRows,
    rows: reading.rows,
    columns: reading.columns.map(({ name, role }) => ({ name, role: columnRole.parse(role) })),
    decimal_mark: told.decimal_mark ?? null,
    missing_codes,
    remembered: await hasKeptMapping(db, organizationId, fileType, namesOf(reading)),
  };
}

export async function firstRowsOf(storage: Services['storage'], { name, meta }: FileRow): Promise<FirstRows> {
  const key = meta.keys?.first_rows;
  if (key === undefined) throw new Problem('files/no-preview', `There is nothing to show for "${name}" yet.`);
  return JSON.parse(new TextDecoder().decode(await readObject(storage, key))) as FirstRows;
}

export function mappedType(fileType: FileType | null): MappedTable {
  if (isMappedType(fileType)) return fileType;
  throw new Problem('files/wrong-type', 'Only the columns of a table can be given roles.');
}

export const isMappedType = (type: FileType | null): type is FileType & MappedTable =>
  type !== null && Object.hasOwn(COLUMN_ROLES, type);
