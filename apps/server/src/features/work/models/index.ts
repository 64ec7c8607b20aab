export { matchModel } from './match-model.service.ts';
export { models } from './model.kind.ts';
export { modelJobRegistrations } from './model-jobs.handler.ts';
export type { ModelRow } from './models.queries.ts';
export { modelRoutes } from './models.routes.ts';
export { createModel, getModel } from './models.service.ts';
export { findModel, individualsWithGebv, requireModel, trainedTraits } from './trained-models.service.ts';
