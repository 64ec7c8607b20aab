import { createFileRoute } from '@tanstack/react-router';
import { CROSSING_SIMULATION_VIEW } from '../../../../../features/work/crossing-simulations/crossing-simulations.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/')({
  component: CrossingSimulationsPageRoute,
});

function CrossingSimulationsPageRoute() {
  return <RunListPage view={CROSSING_SIMULATION_VIEW} projectId={Route.useParams().projectId} />;
}
