export { predictionFeature } from './feature.ts';
export { newestPrediction, readPredictedLines } from './line-values.ts';
export { createPrediction } from './predictions.service.ts';
