import { createFileRoute } from '@tanstack/react-router';
import { CrossingSimulationsPage } from '../../../../../features/work/crossing-simulations/crossing-simulations-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/')({
  component: CrossingSimulationsPageRoute,
});

function CrossingSimulationsPageRoute() {
  return <CrossingSimulationsPage {...Route.useParams()} />;
}
