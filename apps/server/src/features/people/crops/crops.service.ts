import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { cropsApi } from '@heterosis/contracts/endpoints/people/crops';
import type { Crop } from '@heterosis/contracts/people/crops';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { violates } from '../../../platform/database/database.ts';
import { publishOrganization } from '../../../platform/events/events.ts';
import type { OrganizationCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken, type TakenName } from '../../../platform/http/taken-name.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { deleteCrop as deleteRow, insertCrop, listCrops as listRows, updateCrop } from './crops.queries.ts';

/** The crops of an organization. A guest sees only those of the projects joined. */
export async function listCrops(
  { services: { db }, access: { organizationId, role }, principal: { userId } }: OrganizationCall,
  { query: { limit, cursor } }: InputOf<typeof cropsApi.listCrops>,
): Promise<Page<Crop>> {
  const rows = await listRows(db, organizationId, {
    ofProjectsOf: role === 'GUEST' ? userId : undefined,
    limit,
    after: decodeIdCursor(cursor),
  });
  return toPage(rows, limit, (row) => [row.id]);
}

export async function createCrop(
  { services: { db }, access: { organizationId }, principal: { userId } }: OrganizationCall,
  { body: { name } }: InputOf<typeof cropsApi.createCrop>,
): Promise<Crop> {
  return await orNameTaken(takenName(name), () =>
    db.transaction().execute(async (trx) => {
      const crop = await insertCrop(trx, organizationId, name, userId);
      await publishOrganization(trx, organizationId);
      return crop;
    }),
  );
}

export async function renameCrop(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { id, body: { name } }: InputOf<typeof cropsApi.renameCrop>,
): Promise<Crop> {
  return await orNameTaken(takenName(name), () =>
    db.transaction().execute(async (trx) => {
      const changed = isUuid(id) ? await updateCrop(trx, organizationId, id, name) : undefined;
      if (!changed) throw notFound('This crop');
      await publishOrganization(trx, organizationId);
      return changed;
    }),
  );
}

/** Deletes a crop that no project uses. */
export async function deleteCrop(
  { services: { db }, access: { organizationId }, principal, requestId }: OrganizationCall,
  { id }: InputOf<typeof cropsApi.deleteCrop>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = isUuid(id) ? await unused(() => deleteRow(trx, organizationId, id)) : undefined;
    if (!gone) throw notFound('This crop');
    await recordAuditEvent(trx, {
      action: 'crop.deleted',
      actor: principal,
      organizationId,
      targetType: 'crop',
      targetId: id,
      details: { name: gone.name },
      requestId,
    });
    await publishOrganization(trx, organizationId);
  });
}

const takenName = (name: string): TakenName => ({
  index: 'crops_name',
  code: 'crops/name-taken',
  detail: `There is a crop called "${name}" already. Choose another name.`,
});

async function unused(remove: () => Promise<Crop | undefined>): Promise<Crop | undefined> {
  try {
    return await remove();
  } catch (error) {
    if (!violates(error, 'projects_crop')) throw error;
    throw new Problem('crops/in-use', 'A project uses this crop. Only a crop that no project uses can be deleted.', {
      cause: error,
    });
  }
}
