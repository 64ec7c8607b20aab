import { createFileRoute } from '@tanstack/react-router';
import { OperatorLinks } from '../../../features/operation/operators/operator-page.tsx';
import { AuditPage } from '../../../features/people/audit/audit-page.tsx';
import { textParams } from '../../../lib/browser/search-params.ts';

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
