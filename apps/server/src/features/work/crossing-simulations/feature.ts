import type { KindOfRun } from '../runs/kind/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { crossingSimulationRoutes } from './crossing-simulations.routes.ts';
import { crossingSimulationJobRegistrations } from './run-crossing.handler.ts';

export const crossingSimulationFeature: KindOfRun = {
  definition: crossingSimulations,
  routes: () => crossingSimulationRoutes,
  jobs: crossingSimulationJobRegistrations,
};
