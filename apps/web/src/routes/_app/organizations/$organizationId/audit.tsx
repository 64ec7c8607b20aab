import { createFileRoute } from '@tanstack/react-router';
import { AuditPage } from '../../../../features/audit/audit-page.tsx';
import { textParams } from '../../../../lib/search-params.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/audit')({
  validateSearch: textParams('person', 'what', 'from', 'to'),
  component: AuditPageRoute,
});

function AuditPageRoute() {
  const navigate = Route.useNavigate();
  return (
    <AuditPage
      {...Route.useParams()}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, replace: true })}
    />
  );
}
