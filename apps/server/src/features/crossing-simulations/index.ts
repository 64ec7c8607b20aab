export { crossingSimulationRoutes } from './crossing-simulations.routes.ts';
export {
  createCrossingSimulation,
  crossingSimulationsOfFiles,
  crossingSimulationsOfModels,
} from './crossing-simulations.service.ts';
export { crossingSimulationJobRegistrations } from './run-crossing.handler.ts';
