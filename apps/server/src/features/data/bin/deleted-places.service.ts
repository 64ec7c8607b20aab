import type { Page } from '@heterosis/contracts/common';
import type { DeletedPlace, RestoredPlace } from '@heterosis/contracts/data/bin';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { deletedPlacesApi } from '@heterosis/contracts/endpoints/data/deleted-places';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { type DatabaseTransaction, repeatedTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { OrganizationCall, SignedInCall } from '../../../platform/http/bind.ts';
import { decodeTimeCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { lockMembers, requireSeatsHeld } from '../../people/organizations/index.ts';
import { freeName } from '../../people/projects/index.ts';
import { revokeRestored } from '../../people/share-links/index.ts';
import { endAsDeleted } from '../../work/runs/kind/index.ts';
import { resumeCheck } from '../files/index.ts';
import {
  isProjectNameTaken,
  listDeletedOrganizations,
  listDeletedProjects,
  listProjectIds,
  listStopped,
  lockDeletedOrganization,
  lockDeletedProject,
  updateOrganizationRestored,
  updateProjectRestored,
} from './deleted-places.queries.ts';

const pageOf = (rows: DeletedPlace[], limit: number): Page<DeletedPlace> =>
  toPage(rows, limit, ({ deleted_at, id }) => [deleted_at, id]);

/** `GET /organizations/{id}/deleted_projects`. */
export async function listProjectsToRestore(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { query: { limit, cursor } }: InputOf<typeof deletedPlacesApi.listProjectsToRestore>,
): Promise<Page<DeletedPlace>> {
  const after = decodeTimeCursor(cursor);
  return pageOf(await listDeletedProjects(db, organizationId, { limit, after }), limit);
}

/** `GET /deleted_organizations`. */
export async function listOrganizationsToRestore(
  { services: { db }, principal: { userId } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof deletedPlacesApi.listOrganizationsToRestore>,
): Promise<Page<DeletedPlace>> {
  const after = decodeTimeCursor(cursor);
  return pageOf(await listDeletedOrganizations(db, userId, { limit, after }), limit);
}

/**
 * `POST /organizations/{id}/deleted_projects/{id}/restore`. Runs that were stopped say so, checks of files are done
 * again. Refused while the guests of the project would need more seats than there are.
 */
export async function restoreProject(
  { services, access: { organizationId }, principal, requestId }: OrganizationCall,
  { id }: InputOf<typeof deletedPlacesApi.restoreProject>,
): Promise<RestoredPlace> {
  return await repeatedTransaction(services.db, async (trx) => {
    await lockMembers(trx, organizationId);
    const deleted = isUuid(id) ? await lockDeletedProject(trx, organizationId, id) : undefined;
    if (deleted === undefined) throw notFound('What is to be restored');
    const name = await freeName(deleted.name, {
      hasEnding: false,
      mark: (k) => (k === 1 ? ' (restored)' : ` (restored ${k})`),
      isTaken: (candidate) => isProjectNameTaken(trx, organizationId, candidate),
    });
    await updateProjectRestored(trx, organizationId, id, name);
    await requireSeatsHeld(trx, organizationId);
    await resumeProject(services, trx, { projectId: id, organizationId, principal, requestId });
    await recordAuditEvent(trx, {
      action: 'project.restored',
      actor: principal,
      organizationId,
      projectId: id,
      targetType: 'project',
      targetId: id,
      details: { name },
      requestId,
    });
    await publishEvent(trx, {
      type: 'organization',
      id: organizationId,
      project_id: null,
      organization_id: organizationId,
    });
    return { id, name };
  });
}

/** `POST /deleted_organizations/{id}/restore`: with its projects, except those that were deleted by themselves. */
export async function restoreOrganization(
  { services, principal, requestId }: SignedInCall,
  { id }: InputOf<typeof deletedPlacesApi.restoreOrganization>,
): Promise<RestoredPlace> {
  return await services.db.transaction().execute(async (trx) => {
    const deleted = isUuid(id) ? await lockDeletedOrganization(trx, principal.userId, id) : undefined;
    if (deleted === undefined) throw notFound('What is to be restored');
    await updateOrganizationRestored(trx, id);
    for (const projectId of await listProjectIds(trx, id))
      await resumeProject(services, trx, { projectId, organizationId: id, principal, requestId });
    await recordAuditEvent(trx, {
      action: 'organization.restored',
      actor: principal,
      organizationId: id,
      targetType: 'organization',
      targetId: id,
      details: { name: deleted.name },
      requestId,
    });
    const event = { type: 'organization', id, project_id: null, organization_id: id } as const;
    await publishEvent(trx, event);
    await publishEvent(trx, { ...event, user_ids: [principal.userId] });
    return { id, name: deleted.name };
  });
}

async function resumeProject(
  services: Services,
  trx: DatabaseTransaction,
  {
    projectId,
    organizationId,
    principal,
    requestId,
  }: { projectId: string; organizationId: string; principal: Principal; requestId: string | undefined },
): Promise<void> {
  await revokeRestored(trx, { projectId, organizationId, principal, requestId });
  for (const { kind, id } of await listStopped(trx, projectId))
    if (kind === 'file')
      await resumeCheck(services, trx, { projectId, organizationId, fileId: id, requestedBy: principal.userId });
    else await endAsDeleted(trx, kind, { project_id: projectId, id });
}
