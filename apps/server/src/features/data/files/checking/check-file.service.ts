import type { checkFileBody, FileDetail } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type * as z from 'zod';
import { publishEvent } from '../../../../platform/events/events.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { lockEntry, requireOwn } from '../../../people/projects/index.ts';
import { type FileCall, inUse, isBeingRead, listDependants } from '../delete-file.service.ts';
import type { FileMeta } from '../file-meta.ts';
import { type FileRow, updateFileStatus } from '../files.queries.ts';
import { getFileRow, toDetail } from '../files.service.ts';
import { beginCheck } from './begin-check.ts';
import { confirmCoding, isReadAs } from './confirm-coding.ts';
import { firstRowsOf, keepMapping, mappedType, requireRoles } from './keep-mapping.ts';

/** Whether the file was already read in the requested way. */
function isSameReading({ file_type, meta }: FileRow, { file_type: wanted, ...options }: CheckChoices): boolean {
  const before: Record<string, unknown> = { ...meta.options };
  return (
    (wanted ?? file_type) === file_type &&
    Object.entries(options).every(([name, value]) => JSON.stringify(value) === JSON.stringify(before[name]))
  );
}

type CheckChoices = Omit<z.output<typeof checkFileBody>, 'remember_mapping'>;

/**
 * Checks the file again. With other choices, only if no result depends on the last reading; unchanged, unless
 * something is currently reading its derived files.
 */
export async function checkFile(
  { services, access, principal, consumers }: FileCall,
  { file_id: id, body }: InputOf<typeof filesApi.checkFile>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId } = access;
  const row = await getFileRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    const current = await getFileRow(trx, projectId, id);
    const { status, meta } = current;
    if (status === 'UPLOADED' || status === 'CHECKING')
      throw new Problem('files/not-ready', 'The file is being checked already. Wait until that has ended.');
    const { remember_mapping: isRemembered, ...choices } = body;
    const { numeric_coding: coding, ...others } = choices;
    if (coding != null && Object.keys(others).length === 0 && isReadAs(current, coding)) {
      await confirmCoding(trx, current, coding);
      await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: access.organizationId });
      return await toDetail(services, trx, await getFileRow(trx, projectId, id));
    }
    const { file_type: _type, ...options } = choices;
    if (!isSameReading(current, choices)) {
      const dependants = await listDependants(trx, projectId, id, consumers);
      if (dependants.length > 0) throw inUse(dependants);
    } else if (await isBeingRead(trx, projectId, id, consumers))
      throw new Problem('files/in-use', 'A run is reading this file. Check it again when that has ended.');
    const fileType = body.file_type ?? row.file_type;
    if (fileType === null)
      throw new Problem('request/invalid', 'Say what kind of file this is, so that it can be checked.', {
        invalidParams: [{ name: 'body.file_type', reason: 'The file has no type yet' }],
      });
    if (body.mapping != null) {
      const { organizationId } = access;
      const { mapping, missing_codes = meta.options?.missing_codes ?? [] } = body;
      const type = mappedType(fileType);
      requireRoles(type, mapping);
      if (isRemembered !== undefined) {
        const table = { organizationId, fileType: type, first: await firstRowsOf(services.storage, current) };
        await keepMapping(trx, table, principal, { mapping, missing_codes, isRemembered });
      }
    }
    // Roles of columns belong to a type of table.
    const { mapping, ...kept } = meta.options ?? {};
    const isOfType = fileType === current.file_type && mapping !== undefined;
    const changed: FileMeta = { ...meta, options: { ...kept, ...(isOfType ? { mapping } : {}), ...options } };
    await updateFileStatus(trx, projectId, id, { status: 'UPLOADED', meta: changed, fileType });
    await beginCheck(services, trx, { ...access, fileId: id, requestedBy: principal.userId });
    return await toDetail(services, trx, await getFileRow(trx, projectId, id));
  });
}
