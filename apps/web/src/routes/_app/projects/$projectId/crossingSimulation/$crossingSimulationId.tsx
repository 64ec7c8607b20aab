import { createFileRoute } from '@tanstack/react-router';
import { CrossingSimulationDetailPage } from '../../../../../features/work/crossing-simulations/crossing-simulation-detail-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/$crossingSimulationId')({
  validateSearch: textParams('trait', 'cross'),
  component: CrossingSimulationDetailPageRoute,
});

function CrossingSimulationDetailPageRoute() {
  return <CrossingSimulationDetailPage {...Route.useParams()} />;
}
