export { logoRoutes } from './logos.routes.ts';
export { lockMembers } from './members.queries.ts';
export { memberRoutes } from './members.routes.ts';
export { findOrganizationAccess } from './organization-access.ts';
export { insertOrganization, updateOrganizationBilling } from './organizations.queries.ts';
export { organizationRoutes } from './organizations.routes.ts';
export type { EndSubscription } from './organizations.service.ts';
export { countSeats, requireSeat, requireSeatsHeld, seatUsage } from './seats.queries.ts';
export { requireRunPlace, requireStorage, usageColumns } from './usage.queries.ts';
