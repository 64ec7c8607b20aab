import { stackingPlansApi } from '@heterosis/contracts/endpoints/work/stacking-plans';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import { stackingPlans } from './stacking-plan.kind.ts';
import { createStackingPlan } from './stacking-plans.service.ts';

export const stackingPlanRoutes = bind(stackingPlansApi, {
  ...runHandlers(stackingPlans),
  createRun: createStackingPlan,
});
