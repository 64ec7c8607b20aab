export { predictions } from './prediction.kind.ts';
export { predictionRoutes } from './predictions.routes.ts';
export { createPrediction } from './predictions.service.ts';
export { predictionJobRegistrations } from './run-prediction.handler.ts';
