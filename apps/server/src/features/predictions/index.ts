export { predictionRoutes } from './predictions.routes.ts';
export {
  createPrediction,
  getPrediction,
  predictions,
  predictionsOfFiles,
  predictionsOfModels,
} from './predictions.service.ts';
export { predictionJobRegistrations } from './run-prediction.handler.ts';
