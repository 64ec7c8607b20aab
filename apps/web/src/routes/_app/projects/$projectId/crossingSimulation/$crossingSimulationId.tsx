import { createFileRoute } from '@tanstack/react-router';
import { CrossingResults } from '../../../../../features/work/crossing-simulations/crossing-results.tsx';
import { CROSSING_SIMULATION_VIEW } from '../../../../../features/work/crossing-simulations/crossing-simulations.view.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/crossingSimulation/$crossingSimulationId')({
  validateSearch: textParams('trait', 'cross'),
  component: CrossingSimulationDetailPageRoute,
});

function CrossingSimulationDetailPageRoute() {
  const { projectId, crossingSimulationId } = Route.useParams();
  return (
    <RunPage
      view={CROSSING_SIMULATION_VIEW}
      Results={CrossingResults}
      projectId={projectId}
      id={crossingSimulationId}
    />
  );
}
