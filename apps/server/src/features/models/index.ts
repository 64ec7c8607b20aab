export type { ModelDependants } from './dependants.ts';
export { noCross, requireCommonNames, requireModel, requireTraits, trainedTraits } from './match.service.ts';
export { modelJobRegistrations } from './model-jobs.handler.ts';
export { findModel, type ModelRow } from './models.queries.ts';
export { modelRoutes } from './models.routes.ts';
export { createModel, getModel, models, modelsOfFiles } from './models.service.ts';
