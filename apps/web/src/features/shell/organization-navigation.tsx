import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganizationId } from '../../lib/current.ts';
import { organizationQuery } from '../organizations/index.ts';
import classes from './side-navigation.module.css';

/** The pages of an organization. */
export function OrganizationNavigation() {
  const organizationId = useOrganizationId();
  return organizationId === undefined ? null : <Links organizationId={organizationId} />;
}

function Links({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const params = { organizationId };
  const shared = { params, className: classes.link, activeOptions: { exact: true, includeSearch: false } };
  return (
    <>
      <div className={classes.head}>
        <p className={classes.headTitle}>{organization?.name ?? '…'}</p>
      </div>
      <nav aria-label={t('nav.organization')}>
        <ul className={classes.links}>
          <li>
            <Link to="/organizations/$organizationId" {...shared}>
              {t('nav.organizationOverview')}
            </Link>
          </li>
          <li>
            <Link to="/organizations/$organizationId/members" {...shared}>
              {t('nav.members')}
            </Link>
          </li>
          <li>
            <Link to="/organizations/$organizationId/crops" {...shared}>
              {t('nav.crops')}
            </Link>
          </li>
          <li>
            <Link to="/organizations/$organizationId/pedigree" {...shared}>
              {t('nav.pedigree')}
            </Link>
          </li>
          {(organization?.role === 'OWNER' || organization?.role === 'MANAGER') && (
            <>
              <li>
                <Link to="/organizations/$organizationId/billing" {...shared}>
                  {t('nav.billing')}
                </Link>
              </li>
              <li>
                <Link to="/organizations/$organizationId/audit" {...shared}>
                  {t('nav.audit')}
                </Link>
              </li>
            </>
          )}
        </ul>
      </nav>
    </>
  );
}
