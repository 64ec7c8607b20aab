import { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import * as results from './crossing-results.service.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { filterOfName } from './crossing-simulations.queries.ts';
import { createCrossingSimulation } from './crossing-simulations.service.ts';

export const crossingSimulationRoutes = bind(crossingSimulationsApi, {
  ...runHandlers(crossingSimulations, { conditions: filterOfName }),
  createRun: createCrossingSimulation,
  ...results,
});
