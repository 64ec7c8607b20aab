import { createFileRoute } from '@tanstack/react-router';
import { PROGRAMME_VIEW } from '../../../../../features/work/programmes/programmes.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/programmes/')({
  loader: ({ params }) => readAhead(PROGRAMME_VIEW.list(params.projectId)),
  component: ProgrammesPageRoute,
});

function ProgrammesPageRoute() {
  return <RunListPage view={PROGRAMME_VIEW} projectId={Route.useParams().projectId} />;
}
