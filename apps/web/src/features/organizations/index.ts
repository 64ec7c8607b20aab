export { NewOrganizationForm } from './new-organization-form.tsx';
export { organizationQuery, organizationsQuery } from './organizations.api.ts';
export { useOrganizationRights } from './use-organization-rights.ts';
