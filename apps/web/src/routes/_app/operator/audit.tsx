import { createFileRoute } from '@tanstack/react-router';
import { AuditPage } from '../../../features/audit/audit-page.tsx';
import { OperatorLinks } from '../../../features/operation/operator-page.tsx';
import { textParams } from '../../../lib/search-params.ts';

export const Route = createFileRoute('/_app/operator/audit')({
  validateSearch: textParams('person', 'what', 'from', 'to'),
  component: AuditPageRoute,
});

function AuditPageRoute() {
  const navigate = Route.useNavigate();
  return (
    <AuditPage
      place={undefined}
      crumbs={[]}
      links={<OperatorLinks />}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, replace: true })}
    />
  );
}
