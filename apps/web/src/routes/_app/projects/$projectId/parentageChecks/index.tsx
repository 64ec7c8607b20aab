import { createFileRoute } from '@tanstack/react-router';
import { PARENTAGE_CHECK_VIEW } from '../../../../../features/work/parentage-checks/parentage-checks.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/parentageChecks/')({
  component: ParentageChecksPageRoute,
});

function ParentageChecksPageRoute() {
  return <RunListPage view={PARENTAGE_CHECK_VIEW} projectId={Route.useParams().projectId} />;
}
