import { createFileRoute } from '@tanstack/react-router';
import { CrossingPlanResults } from '../../../../../features/work/crossing-plans/crossing-plan-results.tsx';
import { CROSSING_PLAN_VIEW } from '../../../../../features/work/crossing-plans/crossing-plans.view.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingPlans/$crossingPlanId')({
  component: CrossingPlanDetailPageRoute,
});

function CrossingPlanDetailPageRoute() {
  const { projectId, crossingPlanId } = Route.useParams();
  return <RunPage view={CROSSING_PLAN_VIEW} Results={CrossingPlanResults} projectId={projectId} id={crossingPlanId} />;
}
