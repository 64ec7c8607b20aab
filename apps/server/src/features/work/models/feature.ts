import type { KindOfRun } from '../runs/kind/index.ts';
import { models } from './model.kind.ts';
import { modelJobRegistrations } from './model-jobs.handler.ts';
import { modelRoutes } from './models.routes.ts';

export const modelFeature: KindOfRun = {
  definition: models,
  routes: modelRoutes,
  jobs: modelJobRegistrations,
};
