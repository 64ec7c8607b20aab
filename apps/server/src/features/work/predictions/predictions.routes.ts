import { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import * as factorial from './factorial.service.ts';
import { predictions } from './prediction.kind.ts';
import * as results from './prediction-results.service.ts';
import { filtersOfModel } from './predictions.queries.ts';
import { createPrediction } from './predictions.service.ts';

export const predictionRoutes = bind(predictionsApi, {
  ...runHandlers(predictions, { conditions: filtersOfModel }),
  createRun: createPrediction,
  ...results,
  ...factorial,
});
