import { createFileRoute } from '@tanstack/react-router';
import { ParentageCheckDetailPage } from '../../../../../features/work/parentage-checks/parentage-check-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/parentageChecks/$parentageCheckId')({
  component: ParentageCheckDetailPageRoute,
});

function ParentageCheckDetailPageRoute() {
  return <ParentageCheckDetailPage {...Route.useParams()} />;
}
