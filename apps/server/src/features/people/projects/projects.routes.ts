import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  createProjectBody,
  project,
  projectDetail,
  projectOverview,
  updateProjectBody,
} from '@heterosis/contracts/projects';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { type OverviewKind, readOverview } from './overview.queries.ts';
import { changeProject, createProject, deleteProject, listProjects, readProject } from './projects.service.ts';

const params = z.object({ project_id: pathId });
const member = { guard: { project: 'MEMBER' } } as const;
const manager = { guard: { project: 'MANAGER' } } as const;

/** `kinds` are the kinds of run shown in the overview. */
export const projectRoutes =
  (kinds: readonly OverviewKind[]): FeatureRoutes =>
  (app, services) => {
    app.get(
      '/projects',
      {
        config: { guard: 'signed-in', accessTokens: 'own-projects' },
        schema: { summary: 'My projects', querystring: pageQuery, response: { 200: page(project) } },
      },
      async (request) => listProjects(services, requirePrincipal(request), request.query),
    );
    app.post(
      '/projects',
      {
        config: { guard: 'signed-in' },
        schema: { summary: 'Create a project', body: createProjectBody, response: { 201: projectDetail } },
      },
      async (request, reply) =>
        reply
          .status(201)
          .send(
            await createProject(
              services,
              { principal: requirePrincipal(request), requestId: request.id },
              request.body,
            ),
          ),
    );
    app.get(
      '/projects/:project_id',
      { config: member, schema: { summary: 'Read a project', params, response: { 200: projectDetail } } },
      async (request) => readProject(services, requirePrincipal(request), requireProjectAccess(request).projectId),
    );
    app.get(
      '/projects/:project_id/overview',
      {
        config: member,
        schema: {
          summary: 'What is in a project and what happened lately',
          params,
          response: { 200: projectOverview },
        },
      },
      async (request) => readOverview(services.db, requireProjectAccess(request).projectId, kinds),
    );
    app.put(
      '/projects/:project_id',
      {
        config: manager,
        schema: { summary: 'Change a project', params, body: updateProjectBody, response: { 200: projectDetail } },
      },
      async (request) => changeProject(services, requestOf(request), request.body),
    );
    app.delete(
      '/projects/:project_id',
      { config: manager, schema: { summary: 'Delete a project', params, response: { 204: z.null() } } },
      async (request, reply) => {
        await deleteProject(services, requestOf(request));
        return reply.status(204).send(null);
      },
    );
  };

const requestOf = (request: FastifyRequest) => ({
  access: requireProjectAccess(request),
  principal: requirePrincipal(request),
  requestId: request.id,
});
