import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery, useOrganizationRights } from '../people/organizations/index.ts';
import type { NavigationSection } from './navigation/navigation-links.tsx';
import { organizationPages } from './organization-pages.ts';

/** The pages of an organization that this person may open; none of one that is not found. */
export function useOrganizationPages(organizationId: string): NavigationSection[] {
  const { t } = useTranslation();
  const { data: organization, isError } = useQuery(organizationQuery(organizationId));
  const may = useOrganizationRights(organizationId);
  return isError && !organization ? [] : organizationPages(t, may);
}
