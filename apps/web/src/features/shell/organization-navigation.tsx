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
import { organizationQuery } from '../organizations/index.ts';
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
  const isManager = organization?.role === 'OWNER' || organization?.role === 'MANAGER';
  const ofManagers: NavigationEntry[] = [
    { to: '/organizations/$organizationId/billing', label: t('nav.billing'), icon: IconCreditCard },
    { to: '/organizations/$organizationId/audit', label: t('nav.audit'), icon: IconHistory },
  ];
  const germplasm: NavigationEntry = {
    to: '/organizations/$organizationId/germplasm',
    label: t('nav.germplasm'),
    icon: IconPlant,
  };
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
              { to: '/organizations/$organizationId/members', label: t('nav.members'), icon: IconUsers },
              ...(isManager ? ofManagers : []),
            ],
          },
          {
            title: t('nav.breeding'),
            entries: [
              { to: '/organizations/$organizationId/crops', label: t('nav.crops'), icon: IconSeedling },
              ...(organization?.role == null ? [] : [germplasm]),
              { to: '/organizations/$organizationId/pedigree', label: t('nav.pedigree'), icon: IconBinaryTree },
            ],
          },
        ]}
      />
    </>
  );
}
