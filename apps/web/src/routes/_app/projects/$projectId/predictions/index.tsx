import { createFileRoute } from '@tanstack/react-router';
import { PredictionsPage } from '../../../../../features/work/predictions/predictions-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/predictions/')({ component: PredictionsPageRoute });

function PredictionsPageRoute() {
  return <PredictionsPage {...Route.useParams()} />;
}
