import type { Endpoints } from '../../endpoint.ts';
import {
  createStackingPlanBody,
  listStackingPlansQuery,
  stackingPlan,
  stackingPlanDetail,
} from '../../work/stacking-plans.ts';
import { runEndpoints } from './run-endpoints.ts';

export const stackingPlansApi = {
  ...runEndpoints('stacking_plan', {
    item: stackingPlan,
    detail: stackingPlanDetail,
    list: { summary: 'List stacking plans, newest first', query: listStackingPlansQuery },
    create: { summary: 'Plan how target loci of several donors come into one line', body: createStackingPlanBody },
  }),
} as const satisfies Endpoints;
