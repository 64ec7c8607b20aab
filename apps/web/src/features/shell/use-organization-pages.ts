import type { OrganizationRight } from '@heterosis/contracts/rights';
import {
  IconBinaryTree,
  IconCreditCard,
  IconHistory,
  IconLayoutDashboard,
  IconPlant,
  IconSeedling,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganizationRights } from '../organizations/index.ts';
import type { NavigationEntry, NavigationSection } from './navigation-links.tsx';

/** The pages of an organization that this person may open. */
export function useOrganizationPages(organizationId: string): NavigationSection[] {
  const { t } = useTranslation();
  const may = useOrganizationRights(organizationId);
  const entries = (right: OrganizationRight, ...entriesOfIt: NavigationEntry[]): NavigationEntry[] =>
    may(right) ? entriesOfIt : [];
  return [
    {
      entries: [
        {
          to: '/organizations/$organizationId',
          label: t('nav.organizationOverview'),
          icon: IconLayoutDashboard,
          exact: true,
        },
        ...entries('see_members', {
          to: '/organizations/$organizationId/members',
          label: t('nav.members'),
          icon: IconUsers,
        }),
        ...entries('see_billing', {
          to: '/organizations/$organizationId/billing',
          label: t('nav.billing'),
          icon: IconCreditCard,
        }),
        ...entries('see_audit', {
          to: '/organizations/$organizationId/audit',
          label: t('nav.audit'),
          icon: IconHistory,
        }),
      ],
    },
    {
      title: t('nav.breeding'),
      entries: [
        { to: '/organizations/$organizationId/crops', label: t('nav.crops'), icon: IconSeedling },
        ...entries(
          'see_germplasm',
          { to: '/organizations/$organizationId/germplasm', label: t('nav.germplasm'), icon: IconPlant },
          { to: '/organizations/$organizationId/pedigree', label: t('nav.pedigree'), icon: IconBinaryTree },
        ),
      ],
    },
  ];
}
