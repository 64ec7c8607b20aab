import {
  createCrossingPlanBody,
  crossingPlan,
  crossingPlanDetail,
  listCrossingPlansQuery,
} from '@heterosis/contracts/crossing-plans';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';
import { createCrossingPlan, getPlanTables } from './crossing-plans.service.ts';

export const crossingPlanRoutes: FeatureRoutes = (app, services) => {
  registerRunKindRoutes(app, services, crossingPlans, {
    item: crossingPlan,
    detail: crossingPlanDetail,
    list: { summary: 'List crossing plans, newest first', query: listCrossingPlansQuery },
    create: {
      summary: 'Plan crosses with a trained model',
      body: createCrossingPlanBody,
      create: createCrossingPlan,
    },
  });
  app.get(
    '/projects/:project_id/crossing_plans/:id/tables',
    {
      config: { guard: { project: 'MEMBER' }, media: ['application/octet-stream'] },
      schema: {
        summary: 'What plans with other constraints are computed from',
        description:
          'Little-endian: the number 0x48585031 and the length of a JSON part (32 bits each), the JSON part with the names of candidates and traits and, in `made`, the pairs already made by index, then breeding values (Float64, n × T by rows), the lower triangle of the relationship (Float64, by rows) and, for each pair of traits, the covariance within the progeny of each pair of candidates (Float32); each part begins at a multiple of 8 bytes.',
        params: withId,
      },
    },
    async (request, reply) => {
      const bytes = await getPlanTables(services, requireProjectAccess(request), request.params.id);
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};
