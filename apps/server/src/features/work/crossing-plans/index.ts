export { createCrossingPlan } from './crossing-plans.service.ts';
export { crossingPlanFeature } from './feature.ts';
export { plannedCrosses } from './planned-crosses.ts';
