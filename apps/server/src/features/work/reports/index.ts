export { reportRoutes } from './reports.routes.ts';
export { readReport } from './reports.service.ts';
