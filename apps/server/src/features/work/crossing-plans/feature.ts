import type { KindOfRun } from '../runs/kind/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';
import { crossingPlanRoutes } from './crossing-plans.routes.ts';
import { crossingPlanJobRegistrations } from './run-crossing-plan.handler.ts';

export const crossingPlanFeature: KindOfRun = {
  definition: crossingPlans,
  routes: () => crossingPlanRoutes,
  jobs: crossingPlanJobRegistrations,
};
