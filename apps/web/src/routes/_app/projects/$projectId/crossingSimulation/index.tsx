import { createFileRoute } from '@tanstack/react-router';
import { CROSSING_SIMULATION_VIEW } from '../../../../../features/work/crossing-simulations/crossing-simulations.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/')({
  loader: ({ params }) => readAhead(CROSSING_SIMULATION_VIEW.list(params.projectId)),
  component: CrossingSimulationsPageRoute,
});

function CrossingSimulationsPageRoute() {
  return <RunListPage view={CROSSING_SIMULATION_VIEW} projectId={Route.useParams().projectId} />;
}
