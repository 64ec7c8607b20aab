import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import {
  type CreatedShareLink,
  MAX_SHARE_LINKS,
  SHARED_KINDS,
  SHARED_PAGE,
  type SharedKind,
  type ShareLink,
} from '@heterosis/contracts/people/share-links';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/access.ts';
import type { OrganizationCall, ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { hashSecret, makeSecret } from '../auth/index.ts';
import { requireOwn } from '../projects/index.ts';
import * as queries from './share-links.queries.ts';
import type { ReadShared } from './shared.service.ts';

export async function listShareLinks(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor, entity_kind: kind, entity_id: entityId } }: InputOf<typeof shareLinksApi.listShareLinks>,
): Promise<Page<ShareLink>> {
  const before = decodeIdCursor(cursor);
  return toPage(await queries.listLinks(db, { projectId, kind, entityId }, { limit, before }), limit, ({ id }) => [id]);
}

export async function listOrganizationShareLinks(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { query: { limit, cursor } }: InputOf<typeof shareLinksApi.listOrganizationShareLinks>,
): Promise<Page<ShareLink>> {
  const before = decodeIdCursor(cursor);
  return toPage(await queries.listLinksOfOrganization(db, organizationId, { limit, before }), limit, ({ id }) => [id]);
}

/** Its secret is returned here and never again. */
export async function createShareLink(
  { services, access, principal, requestId, readShared }: ProjectCall & { readShared: ReadShared },
  { body: { entity_kind: kind, entity_id: entityId, days } }: InputOf<typeof shareLinksApi.createShareLink>,
): Promise<CreatedShareLink> {
  const { projectId, organizationId } = access;
  const { db, config } = services;
  // What has nothing to show says so now, and not to whoever gets the link.
  await readShared(services, { projectId, kind, id: entityId, page: 'A4' });
  return await db.transaction().execute(async (trx) => {
    const limits = await queries.readLimits(trx, projectId);
    if (limits.days === 0)
      throw new Problem(
        'share-links/forbidden',
        'Owners of the organization have switched share links off. Send the report as a PDF, or ask an owner.',
      );
    if (days > limits.days)
      throw new Problem('request/invalid', `The organization allows share links for ${limits.days} days at most.`, {
        invalidParams: [{ name: 'body.days', reason: `at most ${limits.days}` }],
      });
    if (limits.open >= MAX_SHARE_LINKS)
      throw new Problem(
        'share-links/too-many',
        `A project has at most ${MAX_SHARE_LINKS} share links. Revoke those of no use.`,
      );
    const shared = await queries.findShared(trx, { projectId, kind, entityId });
    if (shared === undefined) throw notFound(`This ${SHARED_KINDS[kind].noun}`);
    requireOwn(access, principal, shared.createdBy);
    const token = makeSecret();
    const id = await queries.insertLink(trx, {
      ...{ projectId, kind, entityId, days },
      ...{ tokenHash: hashSecret(token), createdBy: principal.userId },
    });
    await recordAuditEvent(trx, {
      ...{ action: 'share-link.created', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'share_link', targetId: id, details: { name: nounOf(kind, shared.name), days } },
    });
    await publishEvent(trx, { type: 'share_link', id, project_id: projectId, organization_id: organizationId });
    const link = await queries.findLink(trx, projectId, id);
    if (link === undefined) throw new Error(`The share link ${id} is gone within its own transaction`);
    return { ...link, url: `${config.publicUrl}${SHARED_PAGE}#${token}` };
  });
}

const nounOf = (kind: SharedKind, name: string | null): string =>
  name === null ? SHARED_KINDS[kind].noun : `${SHARED_KINDS[kind].noun} "${name}"`;

export async function revokeShareLink(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id }: InputOf<typeof shareLinksApi.revokeShareLink>,
): Promise<void> {
  const { projectId, organizationId } = access;
  await db.transaction().execute(async (trx) => {
    const link = isUuid(id) ? await queries.findLink(trx, projectId, id) : undefined;
    if (link === undefined) throw notFound('This share link');
    requireOwn(access, principal, link.created_by?.id ?? null);
    if (link.revoked_at !== null) return;
    await queries.updateRevoked(trx, projectId, id);
    await tellRevoked(trx, [link], { projectId, organizationId, principal, requestId });
  });
}

/**
 * What was deleted and comes back, one thing or all in a project, is not shared any more: whoever deleted it had no
 * reason to look for its links.
 */
export async function revokeRestored(trx: Queryable, place: Place, entityId?: string): Promise<void> {
  const links = await queries.listRestored(trx, { projectId: place.projectId, entityId });
  for (const { id } of links) await queries.updateRevoked(trx, place.projectId, id);
  await tellRevoked(trx, links, place);
}

interface Place {
  projectId: string;
  organizationId: string;
  principal: Principal;
  requestId?: string | undefined;
}

async function tellRevoked(
  trx: Queryable,
  links: readonly ShareLink[],
  { projectId, organizationId, principal, requestId }: Place,
): Promise<void> {
  for (const { id, entity_kind, name } of links) {
    await recordAuditEvent(trx, {
      ...{ action: 'share-link.revoked', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'share_link', targetId: id, details: { name: nounOf(entity_kind, name) } },
    });
    await publishEvent(trx, { type: 'share_link', id, project_id: projectId, organization_id: organizationId });
  }
}
