export { stackingPlanFeature } from './feature.ts';
