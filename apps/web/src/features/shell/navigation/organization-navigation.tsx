import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganizationId } from '../../../lib/session/current.ts';
import { organizationQuery } from '../../people/organizations/index.ts';
import { useOrganizationPages } from '../use-organization-pages.ts';
import { NavigationLinks, NavigationOut } from './navigation-links.tsx';
import classes from './side-navigation.module.css';

/** The pages of an organization. */
export function OrganizationNavigation() {
  const organizationId = useOrganizationId();
  return organizationId === undefined ? null : <Links organizationId={organizationId} />;
}

function Links({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const pages = useOrganizationPages(organizationId);
  if (pages.length === 0) return <NavigationOut label={t('nav.organization')} />;
  return (
    <>
      <div className={classes.head}>
        <p className={classes.headTitle}>{organization?.name ?? '…'}</p>
      </div>
      <NavigationLinks label={t('nav.organization')} params={{ organizationId }} sections={pages} />
    </>
  );
}
