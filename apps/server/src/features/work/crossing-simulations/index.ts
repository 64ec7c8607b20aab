export { crossingSimulations } from './crossing-simulation.kind.ts';
export { crossingSimulationRoutes } from './crossing-simulations.routes.ts';
export { createCrossingSimulation } from './crossing-simulations.service.ts';
export { crossingSimulationJobRegistrations } from './run-crossing.handler.ts';
