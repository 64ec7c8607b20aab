import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import { type Crop, crop, cropBody } from '@heterosis/contracts/crops';
import * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { violates } from '../../platform/database/database.ts';
import { requireOrganizationAccess, requirePrincipal } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { orNameTaken, type TakenName } from '../../platform/http/taken-name.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import { deleteCrop, insertCrop, listCrops, updateCrop } from './crops.queries.ts';

const inOrganization = z.object({ organization_id: pathId });
const withId = inOrganization.extend({ id: pathId });
const manager = { guard: { organization: 'MANAGER' } } as const;

export const cropRoutes: FeatureRoutes = (app, { db }) => {
  app.get(
    '/organizations/:organization_id/crops',
    {
      config: { guard: { organization: 'GUEST' } },
      schema: {
        summary: 'Crops of an organization',
        params: inOrganization,
        querystring: pageQuery,
        response: { 200: page(crop) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { organizationId, role } = requireOrganizationAccess(request);
      const rows = await listCrops(db, organizationId, {
        // A guest sees the crops of the projects joined.
        ofProjectsOf: role === 'GUEST' ? requirePrincipal(request).userId : undefined,
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.post(
    '/organizations/:organization_id/crops',
    {
      config: manager,
      schema: { summary: 'Add a crop', params: inOrganization, body: cropBody, response: { 201: crop } },
    },
    async (request, reply) => {
      const { organizationId } = requireOrganizationAccess(request);
      const made = await orNameTaken(takenName(request.body.name), () =>
        insertCrop(db, organizationId, request.body.name, requirePrincipal(request).userId),
      );
      return reply.status(201).send(made);
    },
  );
  app.put(
    '/organizations/:organization_id/crops/:id',
    { config: manager, schema: { summary: 'Rename a crop', params: withId, body: cropBody, response: { 200: crop } } },
    async (request) => {
      const { organizationId } = requireOrganizationAccess(request);
      const { id } = request.params;
      const changed = isUuid(id)
        ? await orNameTaken(takenName(request.body.name), () => updateCrop(db, organizationId, id, request.body.name))
        : undefined;
      if (!changed) throw notFound('This crop');
      return changed;
    },
  );
  app.delete(
    '/organizations/:organization_id/crops/:id',
    {
      config: manager,
      schema: { summary: 'Delete a crop that no project uses', params: withId, response: { 204: z.null() } },
    },
    async (request, reply) => {
      const { organizationId } = requireOrganizationAccess(request);
      const { id } = request.params;
      await db.transaction().execute(async (trx) => {
        const gone = isUuid(id) ? await unused(() => deleteCrop(trx, organizationId, id)) : undefined;
        if (!gone) throw notFound('This crop');
        await recordAuditEvent(trx, {
          action: 'crop.deleted',
          actor: requirePrincipal(request),
          organizationId,
          targetType: 'crop',
          targetId: id,
          details: { name: gone.name },
          requestId: request.id,
        });
      });
      return reply.status(204).send(null);
    },
  );
};

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
