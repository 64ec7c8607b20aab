export { programmePlanRoutes } from './programme-plans.routes.ts';
