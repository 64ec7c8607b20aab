export { tableViewRoutes } from './table-views.routes.ts';
