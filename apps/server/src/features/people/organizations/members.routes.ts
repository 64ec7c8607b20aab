import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import { organizationMember, updateMemberBody } from '@heterosis/contracts/organizations';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { listMembers } from './members.queries.ts';
import { changeMemberRole, removeMember } from './members.service.ts';

const params = z.object({ organization_id: pathId });
const memberParams = params.extend({ id: pathId });

export const memberRoutes: FeatureRoutes = (app, services) => {
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
      const { organizationId } = requireOrganizationAccess(request);
      const rows = await listMembers(services.db, organizationId, { limit, after: decodeIdCursor(cursor) });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.put(
    '/organizations/:organization_id/members/:id',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: {
        summary: 'Change the role of a member',
        params: memberParams,
        body: updateMemberBody,
        response: { 200: organizationMember },
      },
    },
    async (request) => changeMemberRole(services, requestOf(request), request.params.id, request.body.role),
  );
  app.delete(
    '/organizations/:organization_id/members/:id',
    {
      config: { guard: { organization: 'MEMBER' } },
      schema: { summary: 'Remove a member, or leave', params: memberParams, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await removeMember(services, requestOf(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
};

const requestOf = (request: FastifyRequest) => ({
  access: requireOrganizationAccess(request),
  principal: requirePrincipal(request),
  requestId: request.id,
});
