import { crossingPlansApi } from '@heterosis/contracts/endpoints/work/crossing-plans';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';
import { createCrossingPlan, getPlanTables } from './crossing-plans.service.ts';

export const crossingPlanRoutes = bind(crossingPlansApi, {
  ...runHandlers(crossingPlans),
  createRun: createCrossingPlan,
  getPlanTables,
});
