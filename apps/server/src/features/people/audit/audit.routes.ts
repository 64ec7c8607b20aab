import { Readable } from 'node:stream';
import { page, pathId } from '@heterosis/contracts/common';
import { auditEntry, auditFilter, auditQuery } from '@heterosis/contracts/people/audit';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type RouteGuard, requireOrganizationAccess, requireProjectAccess } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { contentDisposition } from '../../../platform/object-storage/content-disposition.ts';
import type { AuditScope } from './audit.queries.ts';
import { auditCsv, readAudit } from './audit.service.ts';

/** Who did what and when, for the managers of an organization or of a project, and for operators. */
export const auditRoutes: FeatureRoutes = (app, services) => {
  register(app, services, '/organizations/:organization_id', { organization: 'MANAGER' }, (request) => ({
    organization_id: requireOrganizationAccess(request).organizationId,
  }));
  register(app, services, '/projects/:project_id', { project: 'MANAGER' }, (request) => ({
    project_id: requireProjectAccess(request).projectId,
  }));
  register(app, services, '/operator', 'operator', () => 'installation');
};

const PLACES = {
  '/organizations/:organization_id': { what: 'an organization', params: z.object({ organization_id: pathId }) },
  '/projects/:project_id': { what: 'a project', params: z.object({ project_id: pathId }) },
  '/operator': { what: 'the installation', params: z.object({}) },
};

function register(
  app: App,
  services: Services,
  at: keyof typeof PLACES,
  guard: RouteGuard,
  scopeOf: (request: FastifyRequest) => AuditScope,
): void {
  const { what, params } = PLACES[at];
  app.get(
    `${at}/audit`,
    {
      config: { guard },
      schema: {
        summary: `Who did what in ${what}`,
        description: 'Newest first. Sign-ins and tokens are those of its members.',
        params,
        querystring: auditQuery,
        response: { 200: page(auditEntry) },
      },
    },
    async (request) => readAudit(services, scopeOf(request), request.query),
  );
  app.get(
    `${at}/audit.csv`,
    {
      config: { guard, media: ['text/csv'] },
      schema: { summary: `Who did what in ${what}, as CSV`, params, querystring: auditFilter },
    },
    async (request, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition('audit.csv'))
        .send(Readable.from(auditCsv(services, scopeOf(request), request.query))),
  );
}
