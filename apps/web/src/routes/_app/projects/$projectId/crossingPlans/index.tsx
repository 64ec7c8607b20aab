import { createFileRoute } from '@tanstack/react-router';
import { CROSSING_PLAN_VIEW } from '../../../../../features/work/crossing-plans/crossing-plans.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingPlans/')({
  component: CrossingPlansPageRoute,
});

function CrossingPlansPageRoute() {
  return <RunListPage view={CROSSING_PLAN_VIEW} projectId={Route.useParams().projectId} />;
}
