export { brapiRoutes } from './brapi.routes.ts';
export { sweepSearches } from './searches.queries.ts';
