import { createFileRoute } from '@tanstack/react-router';
import { CROSSING_PLAN_VIEW } from '../../../../../features/work/crossing-plans/crossing-plans.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingPlans/')({
  loader: ({ params }) => readAhead(CROSSING_PLAN_VIEW.list(params.projectId)),
  component: CrossingPlansPageRoute,
});

function CrossingPlansPageRoute() {
  return <RunListPage view={CROSSING_PLAN_VIEW} projectId={Route.useParams().projectId} />;
}
