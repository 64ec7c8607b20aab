import type { OrganizationDetail } from '@heterosis/contracts/organizations';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { billingQuery } from './billing.api.ts';
import { describePlan } from './plan-sentence.tsx';

export function BillingPage({ organization }: { organization: OrganizationDetail }) {
  const { t } = useTranslation();
  const organizationId = organization.id;
  const { data: billing } = useQuery(billingQuery(organizationId));
  return (
    <Page
      title={t('billing.manage')}
      crumbs={[
        { label: t('nav.projects'), link: { to: '/projects' } },
        { label: organization.name, link: { to: '/organizations/$organizationId', params: { organizationId } } },
        { label: t('billing.manage') },
      ]}
    >
      {billing && <p>{describePlan(t, billing)}</p>}
    </Page>
  );
}
