import { createFileRoute } from '@tanstack/react-router';
import { ParentageChecksPage } from '../../../../../features/work/parentage-checks/parentage-checks-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/parentageChecks/')({
  component: ParentageChecksPageRoute,
});

function ParentageChecksPageRoute() {
  return <ParentageChecksPage {...Route.useParams()} />;
}
