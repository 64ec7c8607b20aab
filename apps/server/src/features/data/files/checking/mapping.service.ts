import type { FirstRows } from '@heterosis/contracts/data/table-mapping';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { missingCodesOf } from '../file-meta.ts';
import { getFileRow } from '../files.service.ts';
import { firstRowsAnswer, firstRowsOf, mappedType } from './keep-mapping.ts';

/** `GET …/files/{id}/first_rows`: as the query says; without one as the file was last told to be read. */
export async function getFirstRows(
  { services: { db, storage }, access: { projectId, organizationId } }: ProjectCall,
  { file_id: id, query: { file_type: asked, ...query } }: InputOf<typeof filesApi.getFirstRows>,
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
