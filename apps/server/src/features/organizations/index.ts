export { findOrganizationAccess } from './organization-access.ts';
export { insertOrganization } from './organizations.queries.ts';
export { organizationRoutes } from './organizations.routes.ts';
