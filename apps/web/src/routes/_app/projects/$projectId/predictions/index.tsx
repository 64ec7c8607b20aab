import { createFileRoute } from '@tanstack/react-router';
import { PREDICTION_VIEW } from '../../../../../features/work/predictions/predictions.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/predictions/')({
  loader: ({ params }) => readAhead(PREDICTION_VIEW.list(params.projectId)),
  component: PredictionsPageRoute,
});

function PredictionsPageRoute() {
  return <RunListPage view={PREDICTION_VIEW} projectId={Route.useParams().projectId} />;
}
