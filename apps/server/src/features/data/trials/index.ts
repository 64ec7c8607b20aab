export { type FrozenTrial, freeze } from './freeze-trial.service.ts';
export { listPlots } from './plots.queries.ts';
export { trialRoutes } from './trials.routes.ts';
export { getTrial } from './trials.service.ts';
