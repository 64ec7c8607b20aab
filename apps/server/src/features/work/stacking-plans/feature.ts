import type { KindOfRun } from '../runs/kind/index.ts';
import { stackingPlanJobRegistrations } from './run-stacking-plan.handler.ts';
import { stackingPlans } from './stacking-plan.kind.ts';
import { stackingPlanRoutes } from './stacking-plans.routes.ts';

export const stackingPlanFeature: KindOfRun = {
  definition: stackingPlans,
  routes: () => stackingPlanRoutes,
  jobs: stackingPlanJobRegistrations,
};
