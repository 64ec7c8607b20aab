import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  createProjectBody,
  type Project,
  type ProjectDetail,
  project,
  projectDetail,
  projectOverview,
  updateProjectBody,
} from '@heterosis/contracts/projects';
import * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { publishEvent } from '../../platform/events/events.ts';
import { isAtLeast, requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { notAllowed } from '../../platform/http/guards.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { orNameTaken } from '../../platform/http/taken-name.ts';
import { findOrganizationAccess } from '../organizations/index.ts';
import { effectiveRole } from './project-access.ts';
import {
  insertProject,
  isCropOf,
  listProjects,
  type ProjectRow,
  readOverview,
  updateProject,
} from './projects.queries.ts';

const params = z.object({ project_id: pathId });

function toProject(row: ProjectRow): Project {
  const role = effectiveRole(row.project_role, row.organization_role);
  if (!role) throw new Error('A project without a role was listed');
  return {
    id: row.id,
    name: row.name,
    organization: { id: row.organization_id, name: row.organization_name },
    crop: row.crop_id === null ? null : { id: row.crop_id, name: row.crop_name ?? '' },
    role,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export const projectRoutes: FeatureRoutes = (app, { db }) => {
  const readDetail = async (userId: string, id: string): Promise<ProjectDetail> => {
    const [row] = await listProjects(db, userId, { limit: 1, id });
    if (!row) throw notFound('This project');
    return { ...toProject(row), description: row.description, members_read_only: row.members_read_only };
  };

  app.get(
    '/projects',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'My projects', querystring: pageQuery, response: { 200: page(project) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listProjects(db, requirePrincipal(request).userId, { limit, after: decodeIdCursor(cursor) });
      return toPage(rows.map(toProject), limit, (row) => [row.id]);
    },
  );
  app.post(
    '/projects',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Create a project', body: createProjectBody, response: { 201: projectDetail } },
    },
    async (request, reply) => {
      const principal = requirePrincipal(request);
      const { name, organization_id: organizationId, crop_id: cropId } = request.body;
      const access = await findOrganizationAccess(db, principal, organizationId);
      if (!access) throw notFound('This organization');
      if (!access.mayCreateProjects) throw notAllowed('organization', 'MANAGER');
      if (!(await isCropOf(db, organizationId, cropId)))
        throw new Problem('projects/crop-not-in-organization', 'Choose a crop of this organization, or add it first.', {
          invalidParams: [{ name: 'body.crop_id', reason: 'not a crop of this organization' }],
        });
      const id = await db.transaction().execute(async (trx) => {
        const made = await orNameTaken(takenName(name), () =>
          insertProject(trx, { name, organization_id: organizationId, crop_id: cropId, created_by: principal.userId }),
        );
        await publishEvent(trx, {
          type: 'project',
          id: made,
          project_id: made,
          organization_id: organizationId,
          user_ids: [principal.userId],
        });
        return made;
      });
      return reply.status(201).send(await readDetail(principal.userId, id));
    },
  );
  app.get(
    '/projects/:project_id',
    {
      config: { guard: { project: 'MEMBER' } },
      schema: { summary: 'Read a project', params, response: { 200: projectDetail } },
    },
    async (request) => readDetail(requirePrincipal(request).userId, requireProjectAccess(request).projectId),
  );
  app.get(
    '/projects/:project_id/overview',
    {
      config: { guard: { project: 'MEMBER' } },
      schema: { summary: 'What is in a project and what happened lately', params, response: { 200: projectOverview } },
    },
    async (request) => readOverview(db, requireProjectAccess(request).projectId),
  );
  app.put(
    '/projects/:project_id',
    {
      config: { guard: { project: 'MANAGER' } },
      schema: { summary: 'Change a project', params, body: updateProjectBody, response: { 200: projectDetail } },
    },
    async (request) => {
      const { projectId, organizationId } = requireProjectAccess(request);
      const { name, description, members_read_only } = request.body;
      await db.transaction().execute(async (trx) => {
        await orNameTaken(takenName(name ?? ''), () =>
          updateProject(trx, projectId, {
            ...(name === undefined ? {} : { name }),
            ...(description === undefined ? {} : { description }),
            ...(members_read_only === undefined ? {} : { members_read_only }),
          }),
        );
        if (members_read_only !== undefined)
          await recordAuditEvent(trx, {
            action: 'project.rights-changed',
            actor: requirePrincipal(request),
            organizationId,
            projectId,
            targetType: 'project',
            targetId: projectId,
            details: { members_read_only },
            requestId: request.id,
          });
        await publishEvent(trx, {
          type: 'project',
          id: projectId,
          project_id: projectId,
          organization_id: organizationId,
        });
      });
      return readDetail(requirePrincipal(request).userId, projectId);
    },
  );
  app.delete(
    '/projects/:project_id',
    {
      config: { guard: { project: 'MANAGER' } },
      schema: { summary: 'Delete a project', params, response: { 204: z.null() } },
    },
    async (request, reply) => {
      const { projectId, organizationId, projectRole, organizationRole } = requireProjectAccess(request);
      // ROLES: a manager of the project may not, a manager of the organization may.
      if (projectRole !== 'OWNER' && !(organizationRole && isAtLeast(organizationRole, 'MANAGER')))
        throw notAllowed('project', 'OWNER');
      await db.transaction().execute(async (trx) => {
        await updateProject(trx, projectId, { deleted_at: new Date().toISOString() });
        await recordAuditEvent(trx, {
          action: 'project.deleted',
          actor: requirePrincipal(request),
          organizationId,
          projectId,
          targetType: 'project',
          targetId: projectId,
          requestId: request.id,
        });
        await publishEvent(trx, {
          type: 'project',
          id: projectId,
          project_id: projectId,
          organization_id: organizationId,
        });
      });
      return reply.status(204).send(null);
    },
  );
};

const takenName = (name: string) => ({
  index: 'projects_name',
  detail: `There is a project called "${name}" in this organization already. Choose another name.`,
});
