import { createFileRoute } from '@tanstack/react-router';
import { PredictionDetailPage } from '../../../../../features/work/predictions/prediction-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/predictions/$predictionId')({
  component: PredictionDetailPageRoute,
});

function PredictionDetailPageRoute() {
  return <PredictionDetailPage {...Route.useParams()} />;
}
