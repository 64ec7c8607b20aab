export { lockMembers } from './members.queries.ts';
export { memberRoutes } from './members.routes.ts';
export { findOrganizationAccess } from './organization-access.ts';
export { insertOrganization } from './organizations.queries.ts';
export { organizationRoutes } from './organizations.routes.ts';
export { requireSeat, requireSeatsHeld } from './seats.queries.ts';
export { readUsage, requireRunPlace, requireStorage, usageColumns } from './usage.queries.ts';
