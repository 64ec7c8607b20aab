export { crossingSimulationRoutes } from './crossing-simulations.routes.ts';
export {
  createCrossingSimulation,
  crossingSimulations,
  crossingSimulationsOfFiles,
  crossingSimulationsOfModels,
} from './crossing-simulations.service.ts';
export { crossingSimulationJobRegistrations } from './run-crossing.handler.ts';
