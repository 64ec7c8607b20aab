import { pathId } from '@heterosis/contracts/common';
import { type ProjectTrait, projectTraits, updateProjectTraitsBody } from '@heterosis/contracts/projects';
import * as z from 'zod';
import { publishEvent } from '../../../platform/events/events.ts';
import { type ProjectAccess, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { listProjectTraits, upsertProjectTraits } from './project-traits.queries.ts';

const params = z.object({ project_id: pathId });
const config = { guard: { project: 'MEMBER' } } as const;

export const projectTraitRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/traits',
    {
      config,
      schema: {
        summary: 'Direction, unit and weight of the traits of a project',
        params,
        response: { 200: projectTraits },
      },
    },
    async (request) => ({ data: await listProjectTraits(services.db, requireProjectAccess(request).projectId) }),
  );
  app.put(
    '/projects/:project_id/traits',
    {
      config,
      schema: {
        summary: 'Say of traits whether low values are better, their unit and weight',
        description: 'Rankings, the index of predictions and new crossing simulations follow it.',
        params,
        body: updateProjectTraitsBody,
        response: { 200: projectTraits },
      },
    },
    async (request) => ({ data: await changeTraits(services, requireProjectAccess(request), request.body.traits) }),
  );
};

export async function changeTraits(
  { db }: Pick<Services, 'db'>,
  { projectId, organizationId }: ProjectAccess,
  traits: readonly ProjectTrait[],
): Promise<ProjectTrait[]> {
  // A name given twice counts as given last.
  const byName = new Map(traits.map((one) => [one.name, one]));
  return await db.transaction().execute(async (trx) => {
    await upsertProjectTraits(trx, projectId, [...byName.values()]);
    await publishEvent(trx, {
      type: 'project',
      id: projectId,
      project_id: projectId,
      organization_id: organizationId,
    });
    return await listProjectTraits(trx, projectId);
  });
}
