import { createFileRoute } from '@tanstack/react-router';
import { TrialsPage } from '../../../../../features/data/trials/trials-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/trials/')({ component: TrialsRoute });

function TrialsRoute() {
  return <TrialsPage {...Route.useParams()} />;
}
