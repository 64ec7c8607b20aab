import type { FirstRows, fileFirstRowsQuery } from '@heterosis/contracts/table-mapping';
import type * as z from 'zod';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { missingCodesOf } from './file-meta.ts';
import { getFileRow } from './files.service.ts';
import { firstRowsAnswer, firstRowsOf, mappedType } from './keep-mapping.ts';

/** `GET …/files/{id}/first_rows`: as the query says; without one as the file was last told to be read. */
export async function getFirstRows(
  { db, storage }: Services,
  { projectId, organizationId }: ProjectAccess,
  id: string,
  { file_type: asked, ...query }: z.output<typeof fileFirstRowsQuery>,
): Promise<FirstRows> {
  const file = await getFileRow(db, projectId, id);
  const fileType = mappedType(asked ?? file.file_type);
  const { options, kept_mapping: kept } = file.meta;
  // Roles that were told belong to the type of the file.
  const told = fileType === file.file_type ? (options?.mapping ?? kept?.mapping ?? {}) : {};
  const first = await firstRowsOf(storage, file);
  return await firstRowsAnswer(
    db,
    { organizationId, fileType, first },
    {
      mapping: told,
      missing_codes: missingCodesOf(file.meta),
    },
    query,
  );
}
