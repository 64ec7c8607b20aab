import { createFileRoute } from '@tanstack/react-router';
import { trialsQuery } from '../../../../../features/data/trials/trials.api.ts';
import { TrialsPage } from '../../../../../features/data/trials/trials-page.tsx';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/trials/')({
  loader: ({ params }) => readAhead(trialsQuery(params.projectId)),
  component: TrialsRoute,
});

function TrialsRoute() {
  return <TrialsPage {...Route.useParams()} />;
}
