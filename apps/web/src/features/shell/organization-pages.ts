import type { OrganizationRight } from '@heterosis/contracts/people/rights';
import type { TFunction } from 'i18next';
import {
  IconBinaryTree,
  IconCreditCard,
  IconHistory,
  IconLayoutDashboard,
  IconPlant,
  IconSeedling,
  IconShare,
  IconUsers,
  IconWebhook,
} from '../../components/icons.tsx';
import type { NavigationEntry, NavigationSection } from './navigation/navigation-links.tsx';

/** The pages of an organization that somebody with these rights may open. */
export function organizationPages(t: TFunction, may: (right: OrganizationRight) => boolean): NavigationSection[] {
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
        ...entries('see_webhooks', {
          to: '/organizations/$organizationId/webhooks',
          label: t('nav.webhooks'),
          icon: IconWebhook,
        }),
        ...entries('see_share_links', {
          to: '/organizations/$organizationId/shareLinks',
          label: t('nav.shareLinks'),
          icon: IconShare,
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
