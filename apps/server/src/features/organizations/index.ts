export { memberRoutes } from './members.routes.ts';
export { findOrganizationAccess } from './organization-access.ts';
export { insertOrganization } from './organizations.queries.ts';
export { organizationRoutes } from './organizations.routes.ts';
export { requireSeat } from './seats.queries.ts';
