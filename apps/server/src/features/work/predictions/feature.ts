import type { KindOfRun } from '../runs/kind/index.ts';
import { predictions } from './prediction.kind.ts';
import { predictionRoutes } from './predictions.routes.ts';
import { predictionJobRegistrations } from './run-prediction.handler.ts';

export const predictionFeature: KindOfRun = {
  definition: predictions,
  routes: () => predictionRoutes,
  jobs: predictionJobRegistrations,
};
