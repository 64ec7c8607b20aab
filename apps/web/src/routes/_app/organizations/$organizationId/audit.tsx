import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AuditPage } from '../../../../features/people/audit/audit-page.tsx';
import { organizationQuery } from '../../../../features/people/organizations/index.ts';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/audit')({
  staticData: { right: 'see_audit' },
  validateSearch: textParams('person', 'what', 'from', 'to'),
  component: AuditPageRoute,
});

function AuditPageRoute() {
  const navigate = Route.useNavigate();
  const { t } = useTranslation();
  const { organizationId } = Route.useParams();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  return (
    <AuditPage
      place={{ kind: 'organization', id: organizationId }}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('audit.title') },
      ]}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, replace: true })}
    />
  );
}
