import { createFileRoute } from '@tanstack/react-router';
import { PredictionResults } from '../../../../../features/work/predictions/prediction-results.tsx';
import { PREDICTION_VIEW } from '../../../../../features/work/predictions/predictions.view.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/predictions/$predictionId')({
  component: PredictionDetailPageRoute,
});

function PredictionDetailPageRoute() {
  const { projectId, predictionId } = Route.useParams();
  return <RunPage view={PREDICTION_VIEW} Results={PredictionResults} projectId={projectId} id={predictionId} />;
}
