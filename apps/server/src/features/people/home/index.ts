export { homeRoutes } from './home.routes.ts';
export { ITEM_TABLES, namedItem, sweepPersonalItems } from './personal-items.queries.ts';
