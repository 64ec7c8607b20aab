import { createFileRoute } from '@tanstack/react-router';
import { PREDICTION_VIEW } from '../../../../../features/work/predictions/predictions.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/predictions/')({ component: PredictionsPageRoute });

function PredictionsPageRoute() {
  return <RunListPage view={PREDICTION_VIEW} projectId={Route.useParams().projectId} />;
}
