export { homeRoutes } from './home.routes.ts';
export { namedItem, sweepPersonalItems } from './personal-items.queries.ts';
