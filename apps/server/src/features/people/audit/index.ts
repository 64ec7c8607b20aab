export { auditRoutes } from './audit.routes.ts';
export { readAudit } from './audit.service.ts';
