export { createCrossingSimulation } from './crossing-simulations.service.ts';
export { crossingSimulationFeature } from './feature.ts';
export { readCrosses } from './line-values.ts';
