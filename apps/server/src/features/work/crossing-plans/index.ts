export { crossingPlans } from './crossing-plan.kind.ts';
export { crossingPlanRoutes } from './crossing-plans.routes.ts';
export { createCrossingPlan } from './crossing-plans.service.ts';
export { crossingPlanJobRegistrations } from './run-crossing-plan.handler.ts';
