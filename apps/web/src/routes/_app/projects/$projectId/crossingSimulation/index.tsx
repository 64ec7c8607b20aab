import { createFileRoute } from '@tanstack/react-router';
import { CrossingSimulationPage } from '../../../../../features/projects/crossing-simulation-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/')({
  component: CrossingSimulationPageRoute,
});

function CrossingSimulationPageRoute() {
  return <CrossingSimulationPage {...Route.useParams()} />;
}
