import { createFileRoute } from '@tanstack/react-router';
import { PARENTAGE_CHECK_VIEW } from '../../../../../features/work/parentage-checks/parentage-checks.view.tsx';
import { ParentageResults } from '../../../../../features/work/parentage-checks/parentage-results.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/parentageChecks/$parentageCheckId')({
  component: ParentageCheckDetailPageRoute,
});

function ParentageCheckDetailPageRoute() {
  const { projectId, parentageCheckId } = Route.useParams();
  return <RunPage view={PARENTAGE_CHECK_VIEW} Results={ParentageResults} projectId={projectId} id={parentageCheckId} />;
}
