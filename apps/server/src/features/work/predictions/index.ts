export { predictionFeature } from './feature.ts';
export { createPrediction } from './predictions.service.ts';
