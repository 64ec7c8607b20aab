import type { FirstRows, firstRowsQuery } from '@heterosis/contracts/table-mapping';
import type * as z from 'zod';
import type { ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { missingCodesOf } from './file-meta.ts';
import { getFileRow } from './files.service.ts';
import { firstRowsAnswer, firstRowsOf, mappedType } from './keep-mapping.ts';

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
  const first = await firstRowsOf(storage, file);
  return await firstRowsAnswer(
    db,
    { organizationId, fileType, first },
    {
      mapping: options?.mapping ?? kept?.mapping ?? {},
      missing_codes: missingCodesOf(file.meta),
    },
    query,
  );
}
