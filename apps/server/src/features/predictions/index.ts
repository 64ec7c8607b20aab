export { predictionRoutes } from './predictions.routes.ts';
export { createPrediction, getPrediction, predictionsOfFiles, predictionsOfModels } from './predictions.service.ts';
export { predictionJobRegistrations } from './run-prediction.handler.ts';
