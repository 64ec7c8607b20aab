export { createCrossingPlan } from './crossing-plans.service.ts';
export { crossingPlanFeature } from './feature.ts';
