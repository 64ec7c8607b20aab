import { createFileRoute } from '@tanstack/react-router';
import { PARENTAGE_CHECK_VIEW } from '../../../../../features/work/parentage-checks/parentage-checks.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/parentageChecks/')({
  loader: ({ params }) => readAhead(PARENTAGE_CHECK_VIEW.list(params.projectId)),
  component: ParentageChecksPageRoute,
});

function ParentageChecksPageRoute() {
  return <RunListPage view={PARENTAGE_CHECK_VIEW} projectId={Route.useParams().projectId} />;
}
