import { createFileRoute } from '@tanstack/react-router';
import { decisionsQuery } from '../../../../../features/work/decisions/decisions.api.ts';
import { DecisionsPage } from '../../../../../features/work/decisions/decisions-page.tsx';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/decisions/')({
  loader: ({ params }) => readAhead(decisionsQuery(params.projectId)),
  component: DecisionsRoute,
});

function DecisionsRoute() {
  return <DecisionsPage {...Route.useParams()} />;
}
