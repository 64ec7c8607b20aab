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
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganizationId } from '../../lib/current.ts';
import { organizationQuery, useOrganizationRights } from '../organizations/index.ts';
import { type NavigationEntry, NavigationLinks } from './navigation-links.tsx';
import classes from './side-navigation.module.css';

/** The pages of an organization. */
export function OrganizationNavigation() {
  const organizationId = useOrganizationId();
  return organizationId === undefined ? null : <Links organizationId={organizationId} />;
}

function Links({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const may = useOrganizationRights(organizationId);
  const entries = (right: OrganizationRight, ...entriesOfIt: NavigationEntry[]): NavigationEntry[] =>
    may(right) ? entriesOfIt : [];
  return (
    <>
      <div className={classes.head}>
        <p className={classes.headTitle}>{organization?.name ?? '…'}</p>
      </div>
      <NavigationLinks
        label={t('nav.organization')}
        params={{ organizationId }}
        sections={[
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
        ]}
      />
    </>
  );
}
