import type { Page } from '@heterosis/contracts/common';
import type { BinEntry, Restored } from '@heterosis/contracts/data/bin';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { binApi } from '@heterosis/contracts/endpoints/data/bin';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { repeatedTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeTimeCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { freeName, requireOwn } from '../../people/projects/index.ts';
import { revokeRestored } from '../../people/share-links/index.ts';
import { endAsDeleted } from '../../work/runs/kind/index.ts';
import { resumeCheck } from '../files/index.ts';
import { isNameTaken, leaveDeletedFolder, listBin as listRows, lockDeleted, updateRestored } from './bin.queries.ts';

/** `GET …/bin`. */
export async function listBin(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor } }: InputOf<typeof binApi.listBin>,
): Promise<Page<BinEntry>> {
  const rows = await listRows(db, projectId, { limit, after: decodeTimeCursor(cursor) });
  return toPage(rows, limit, ({ deleted_at, id }) => [deleted_at, id]);
}

/**
 * `POST …/bin/{id}/restore`: restores an item with everything that used it. Work that was unfinished when it was
 * deleted is cancelled; a file check is repeated.
 */
export async function restore(
  { services, access, principal, requestId }: ProjectCall,
  { id }: InputOf<typeof binApi.restore>,
): Promise<Restored> {
  const { projectId, organizationId } = access;
  return await repeatedTransaction(services.db, async (trx) => {
    const deleted = isUuid(id) ? await lockDeleted(trx, projectId, id) : undefined;
    if (deleted === undefined) throw notFound('What is to be restored');
    requireOwn(access, principal, deleted.created_by);
    const { kind } = deleted;
    if (kind === 'file') await leaveDeletedFolder(trx, projectId, id);
    const name = await freeName(deleted.name, {
      hasEnding: kind === 'file' || kind === 'photo',
      mark: (k) => (k === 1 ? ' (restored)' : ` (restored ${k})`),
      isTaken: (candidate) => isNameTaken(trx, projectId, id, { kind, name: candidate }),
    });
    await updateRestored(trx, projectId, id, { kind, name });
    if (kind === 'file') await resumeCheck(services, trx, { ...access, fileId: id, requestedBy: principal.userId });
    else if (kind !== 'trial' && kind !== 'photo' && kind !== 'decision')
      await endAsDeleted(trx, kind, { project_id: projectId, id });
    await revokeRestored(trx, { projectId, organizationId, principal, requestId }, id);
    await recordAuditEvent(trx, {
      action: `${kind}.restored`,
      actor: principal,
      organizationId,
      projectId,
      targetType: kind,
      targetId: id,
      details: { name },
      requestId,
    });
    await publishEvent(trx, { type: kind, id, project_id: projectId, organization_id: organizationId });
    return { kind, id, name };
  });
}
