import { createFileRoute } from '@tanstack/react-router';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { STACKING_PLAN_VIEW } from '../../../../../features/work/stacking-plans/stacking-plans.view.tsx';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/stacking/')({
  loader: ({ params }) => readAhead(STACKING_PLAN_VIEW.list(params.projectId)),
  component: StackingPlansPageRoute,
});

function StackingPlansPageRoute() {
  return <RunListPage view={STACKING_PLAN_VIEW} projectId={Route.useParams().projectId} />;
}
