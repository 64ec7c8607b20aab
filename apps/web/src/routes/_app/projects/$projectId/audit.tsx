import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AuditPage } from '../../../../features/people/audit/audit-page.tsx';
import { useProjectCrumbs } from '../../../../features/people/projects/index.ts';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/audit')({
  staticData: { right: 'see_audit' },
  validateSearch: textParams('person', 'what', 'from', 'to'),
  component: AuditPageRoute,
});

function AuditPageRoute() {
  const navigate = Route.useNavigate();
  const { t } = useTranslation();
  const { projectId } = Route.useParams();
  return (
    <AuditPage
      place={{ kind: 'project', id: projectId }}
      crumbs={[...useProjectCrumbs(projectId), { label: t('audit.title') }]}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, replace: true })}
    />
  );
}
