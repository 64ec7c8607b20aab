import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import {
  createCrossingPlanBody,
  crossingPlan,
  crossingPlanDetail,
  listCrossingPlansQuery,
} from '../../work/crossing-plans.ts';
import { runEndpoints } from './run-endpoints.ts';

export const crossingPlansApi = {
  ...runEndpoints('crossing_plan', {
    item: crossingPlan,
    detail: crossingPlanDetail,
    list: { summary: 'List crossing plans, newest first', query: listCrossingPlansQuery },
    create: { summary: 'Plan crosses with a trained model', body: createCrossingPlanBody },
  }),
  getPlanTables: get('/projects/:project_id/crossing_plans/:id/tables', PROJECT_MEMBER, {
    summary: 'What plans with other constraints are computed from',
    description:
      'Little-endian: the number 0x48585031 and the length of a JSON part (32 bits each), the JSON part with the names of candidates and traits and, in `made`, the pairs already made by index, then breeding values (Float64, n × T by rows), the lower triangle of the relationship (Float64, by rows) and, for each pair of traits, the covariance within the progeny of each pair of candidates (Float32); each part begins at a multiple of 8 bytes.',
    media: ['application/octet-stream'],
  }),
} as const satisfies Endpoints;
