export { NewOrganizationOffers } from './new-organization-offers.tsx';
export { organizationQuery, organizationsQuery } from './organizations.api.ts';
export { useOrganizationRights } from './use-organization-rights.ts';
