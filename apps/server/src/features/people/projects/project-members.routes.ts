import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import { projectMember, updateMemberBody } from '@heterosis/contracts/organizations';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { listProjectMembers } from './project-members.queries.ts';
import { changeProjectMemberRole, removeProjectMember } from './project-members.service.ts';

const params = z.object({ project_id: pathId });
const memberParams = params.extend({ id: pathId });

export const projectMemberRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/members',
    {
      config: { guard: { project: 'MEMBER' } },
      schema: {
        summary: 'People with a role in the project',
        description: 'Owners and managers of the organization reach all of its projects and are not listed here.',
        params,
        querystring: pageQuery,
        response: { 200: page(projectMember) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listProjectMembers(services.db, requireProjectAccess(request).projectId, {
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.put(
    '/projects/:project_id/members/:id',
    {
      config: { guard: { project: 'MANAGER' } },
      schema: {
        summary: 'Change a role in the project',
        params: memberParams,
        body: updateMemberBody,
        response: { 200: projectMember },
      },
    },
    async (request) => changeProjectMemberRole(services, requestOf(request), request.params.id, request.body.role),
  );
  app.delete(
    '/projects/:project_id/members/:id',
    {
      config: { guard: { project: 'MEMBER' }, readersMayCall: true },
      schema: {
        summary: 'Remove somebody from the project, or leave it',
        params: memberParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await removeProjectMember(services, requestOf(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
};

const requestOf = (request: FastifyRequest) => ({
  access: requireProjectAccess(request),
  principal: requirePrincipal(request),
  requestId: request.id,
});
