import { FILE_TYPES, type FileType } from '@heterosis/contracts/files';
import { COLUMN_ROLES, type MappedTable, type TableMapping } from '@heterosis/contracts/table-mapping';
import {
  describeFirstRows,
  type FirstRows,
  type FirstRowsReading,
} from '@heterosis/file-formats/tables/text/first-rows';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { Problem } from '../../platform/http/problem.ts';
import { readObject } from '../../platform/object-storage/stored-panel.ts';
import { readerMapping } from './file-meta.ts';
import type { FileRow } from './files.queries.ts';
import { deleteKeptMapping, upsertKeptMapping } from './kept-mappings.queries.ts';

interface Told {
  file: FileRow;
  fileType: FileType;
  body: { mapping?: TableMapping | null | undefined; missing_codes?: string[] | undefined };
  isRemembered: boolean;
}

/** Keeps a mapping for all files of the organization with the header that this file has under it, or forgets it. */
export async function keepMapping(
  { storage }: Services,
  trx: DatabaseTransaction,
  { organizationId }: Pick<ProjectAccess, 'organizationId'>,
  { userId }: Principal,
  { file, fileType, body, isRemembered }: Told,
): Promise<void> {
  const mapping = body.mapping ?? {};
  const header = namesOf(describeTable(await firstRowsOf(storage, file), mappedType(fileType), mapping));
  if (!isRemembered) return await deleteKeptMapping(trx, organizationId, fileType, header);
  const missing_codes = body.missing_codes ?? file.meta.options?.missing_codes ?? [];
  await upsertKeptMapping(trx, { organizationId, fileType, createdBy: userId }, { header, mapping, missing_codes });
}

/** Refuses roles that columns of such a table do not have. */
export function requireRoles(fileType: FileType, mapping: TableMapping): void {
  const roles: readonly string[] = COLUMN_ROLES[mappedType(fileType)];
  const others = fileType === 'PHENOTYPE' ? ['measurement', 'ignore'] : ['ignore'];
  const wrong = mapping.columns?.find(({ role }) => !roles.includes(role) && !others.includes(role));
  if (wrong === undefined) return;
  throw new Problem('request/invalid', `A ${FILE_TYPES[fileType].noun} has no column in the role "${wrong.role}".`, {
    invalidParams: [{ name: 'body.mapping.columns', reason: `"${wrong.name}" has the role "${wrong.role}"` }],
  });
}

export const describeTable = (first: FirstRows, fileType: MappedTable, mapping: TableMapping): FirstRowsReading =>
  describeFirstRows(first, fileType, readerMapping(mapping));

export const namesOf = ({ columns }: FirstRowsReading): string[] => columns.map(({ name }) => name);

export async function firstRowsOf(storage: Services['storage'], { name, meta }: FileRow): Promise<FirstRows> {
  const key = meta.keys?.first_rows;
  if (key === undefined) throw new Problem('files/no-preview', `There is nothing to show for "${name}" yet.`);
  return JSON.parse(new TextDecoder().decode(await readObject(storage, key))) as FirstRows;
}

export function mappedType(fileType: FileType | null): MappedTable {
  if (fileType !== null && Object.hasOwn(COLUMN_ROLES, fileType)) return fileType as MappedTable;
  throw new Problem('files/wrong-type', 'Only the columns of a table can be given roles.');
}
