export { homeRoutes } from './home.routes.ts';
export { sweepPersonalItems } from './personal-items.queries.ts';
