import { page, pathId } from '@heterosis/contracts/common';
import {
  brapiImport,
  brapiOffer,
  listImportsQuery,
  lookBody,
  resumeImportBody,
  startImportBody,
} from '@heterosis/contracts/data/brapi-import';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { cancelImport, getImport, listProjectImports, look, resumeImport, startImport } from './imports.service.ts';

const oneImport = z.object({ project_id: pathId, id: pathId });

/** Aborts when the client has left. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Taking data from other BrAPI servers into a project. */
export const brapiImportRoutes: FeatureRoutes = (app, services) => {
  app.post(
    '/projects/:project_id/brapi_imports/look',
    {
      config: { ...forProjectMembers, ...COSTLY },
      schema: {
        summary: 'What another BrAPI server offers',
        params: inProject,
        body: lookBody,
        response: { 200: brapiOffer },
      },
    },
    async (request, reply) => look(services, requirePrincipal(request), request.body, whenGone(reply)),
  );
  app.post(
    '/projects/:project_id/brapi_imports',
    {
      config: { ...forProjectMembers, ...COSTLY },
      schema: {
        summary: 'Import from another BrAPI server',
        description: 'The token is kept, sealed, until the import has ended.',
        params: inProject,
        body: startImportBody,
        response: { 201: brapiImport },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(
          await startImport(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.body,
            whenGone(reply),
          ),
        ),
  );
  app.get(
    '/projects/:project_id/brapi_imports',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Imports from other BrAPI servers, newest first',
        params: inProject,
        querystring: listImportsQuery,
        response: { 200: page(brapiImport) },
      },
    },
    async (request) => listProjectImports(services, requireProjectAccess(request).projectId, request.query),
  );
  app.get(
    '/projects/:project_id/brapi_imports/:id',
    {
      config: forProjectMembers,
      schema: { summary: 'One import', params: oneImport, response: { 200: brapiImport } },
    },
    async (request) => getImport(services, requireProjectAccess(request).projectId, request.params.id),
  );
  app.post(
    '/projects/:project_id/brapi_imports/:id/resume',
    {
      config: { ...forProjectMembers, ...COSTLY },
      schema: {
        summary: 'Take up an import that has stopped; what has arrived stays',
        params: oneImport,
        body: resumeImportBody,
        response: { 200: brapiImport },
      },
    },
    async (request) =>
      resumeImport(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.id,
        request.body.token,
      ),
  );
  app.delete(
    '/projects/:project_id/brapi_imports/:id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Stop an import; what has arrived stays',
        params: oneImport,
        response: { 200: brapiImport },
      },
    },
    async (request) => cancelImport(services, requireProjectAccess(request).projectId, request.params.id),
  );
};
