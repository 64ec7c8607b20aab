export { type FrozenTrial, freeze } from './freeze-trial.service.ts';
export { findObservations, listCurrentObservations, listHeads } from './observations.queries.ts';
export { recordIn } from './observations.service.ts';
export { listPlots } from './plots.queries.ts';
export { listTrialsOfProjects, type TrialOfProject } from './trials.queries.ts';
export { trialRoutes } from './trials.routes.ts';
export { getTrial } from './trials.service.ts';
