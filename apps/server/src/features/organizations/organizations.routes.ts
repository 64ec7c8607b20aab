import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  createOrganizationBody,
  deleteOrganizationQuery,
  type Organization,
  type OrganizationDetail,
  organization,
  organizationDetail,
  organizationMember,
  updateOrganizationBody,
} from '@heterosis/contracts/organizations';
import * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { publishEvent } from '../../platform/events/events.ts';
import { requireOrganizationAccess, requirePrincipal } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import {
  countSeats,
  insertOrganization,
  listMembers,
  listOrganizations,
  type OrganizationRow,
  updateOrganization,
} from './organizations.queries.ts';

const params = z.object({ organization_id: pathId });

/** ROLES: billing is for managers and owners. */
function toOrganization({ seat_total: _, members_may_create_projects: __, ...row }: OrganizationRow): Organization {
  const seesBilling = row.role === 'OWNER' || row.role === 'MANAGER';
  return {
    ...row,
    // A guest of a project sees the name only.
    description: row.role === null ? null : row.description,
    subscription_id: seesBilling ? row.subscription_id : null,
  };
}

export const organizationRoutes: FeatureRoutes = (app, { db }) => {
  const readDetail = async (userId: string, id: string): Promise<OrganizationDetail> => {
    const [row] = await listOrganizations(db, userId, { limit: 1, id });
    if (!row) throw notFound('This organization');
    return {
      ...toOrganization(row),
      seat_total: row.role === null ? null : row.seat_total,
      seat_usage: row.role === null ? null : await countSeats(db, id),
      members_may_create_projects: row.role === null ? null : row.members_may_create_projects,
    };
  };

  app.get(
    '/organizations',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'My organizations', querystring: pageQuery, response: { 200: page(organization) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listOrganizations(db, requirePrincipal(request).userId, {
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows.map(toOrganization), limit, (row) => [row.id]);
    },
  );
  app.post(
    '/organizations',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Create an organization',
        body: createOrganizationBody,
        response: { 201: organizationDetail },
      },
    },
    async (request, reply) => {
      const principal = requirePrincipal(request);
      const id = await db.transaction().execute(async (trx) => {
        const made = await insertOrganization(trx, request.body.name, principal.userId);
        await recordAuditEvent(trx, {
          action: 'organization.created',
          actor: principal,
          organizationId: made,
          targetType: 'organization',
          targetId: made,
          requestId: request.id,
        });
        await publishEvent(trx, {
          type: 'organization',
          id: made,
          project_id: null,
          organization_id: made,
          user_ids: [principal.userId],
        });
        return made;
      });
      return reply.status(201).send(await readDetail(principal.userId, id));
    },
  );
  app.get(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'GUEST' } },
      schema: { summary: 'Read an organization', params, response: { 200: organizationDetail } },
    },
    async (request) => readDetail(requirePrincipal(request).userId, requireOrganizationAccess(request).organizationId),
  );
  app.put(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: {
        summary: 'Change an organization',
        params,
        body: updateOrganizationBody,
        response: { 200: organizationDetail },
      },
    },
    async (request) => {
      const { organizationId } = requireOrganizationAccess(request);
      const { name, description, members_may_create_projects } = request.body;
      await db.transaction().execute(async (trx) => {
        await updateOrganization(trx, organizationId, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(members_may_create_projects === undefined ? {} : { members_may_create_projects }),
        });
        if (members_may_create_projects !== undefined)
          await recordAuditEvent(trx, {
            action: 'organization.rights-changed',
            actor: requirePrincipal(request),
            organizationId,
            targetType: 'organization',
            targetId: organizationId,
            details: { members_may_create_projects },
            requestId: request.id,
          });
        await publishEvent(trx, {
          type: 'organization',
          id: organizationId,
          project_id: null,
          organization_id: organizationId,
        });
      });
      return readDetail(requirePrincipal(request).userId, organizationId);
    },
  );
  app.delete(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'OWNER' } },
      schema: {
        summary: 'Delete an organization',
        params,
        querystring: deleteOrganizationQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { organizationId } = requireOrganizationAccess(request);
      const principal = requirePrincipal(request);
      const { name } = await readDetail(principal.userId, organizationId);
      if (request.query.confirm !== name)
        throw new Problem(
          'organizations/confirmation-mismatch',
          `Type the name of the organization, "${name}", to delete it.`,
        );
      await db.transaction().execute(async (trx) => {
        await updateOrganization(trx, organizationId, { deleted_at: new Date().toISOString() });
        await recordAuditEvent(trx, {
          action: 'organization.deleted',
          actor: principal,
          organizationId,
          targetType: 'organization',
          targetId: organizationId,
          details: { name },
          requestId: request.id,
        });
        await publishEvent(trx, {
          type: 'organization',
          id: organizationId,
          project_id: null,
          organization_id: organizationId,
        });
      });
      return reply.status(204).send(null);
    },
  );
  app.get(
    '/organizations/:organization_id/members',
    {
      config: { guard: { organization: 'MEMBER' } },
      schema: {
        summary: 'Members of an organization',
        params,
        querystring: pageQuery,
        response: { 200: page(organizationMember) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listMembers(db, requireOrganizationAccess(request).organizationId, {
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
};
