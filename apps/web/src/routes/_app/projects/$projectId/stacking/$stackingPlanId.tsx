import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../../../../../features/work/runs/index.ts';
import { STACKING_PLAN_VIEW } from '../../../../../features/work/stacking-plans/stacking-plans.view.tsx';
import { StackingResults } from '../../../../../features/work/stacking-plans/stacking-results.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/stacking/$stackingPlanId')({
  component: StackingPlanDetailPageRoute,
});

function StackingPlanDetailPageRoute() {
  const { projectId, stackingPlanId } = Route.useParams();
  return <RunPage view={STACKING_PLAN_VIEW} Results={StackingResults} projectId={projectId} id={stackingPlanId} />;
}
