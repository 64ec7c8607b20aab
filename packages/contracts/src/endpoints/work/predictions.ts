import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import {
  createPredictionBody,
  factorial,
  factorialQuery,
  listPredictionsQuery,
  prediction,
  predictionDetail,
  predictionResults,
  predictionResultsQuery,
} from '../../work/predictions.ts';
import { runEndpoints } from './run-endpoints.ts';

export const predictionsApi = {
  ...runEndpoints('prediction', {
    item: prediction,
    detail: predictionDetail,
    list: { summary: 'List predictions, newest first', query: listPredictionsQuery },
    create: { summary: 'Predict a genotype with a trained model', body: createPredictionBody },
  }),
  getResults: get('/projects/:project_id/predictions/:id/results', PROJECT_MEMBER, {
    summary: 'Predicted values, page by page',
    query: predictionResultsQuery,
    answer: predictionResults,
    table: true,
  }),
  getFactorial: get('/projects/:project_id/predictions/:id/factorial', PROJECT_MEMBER, {
    summary: 'Predicted hybrids by their parents',
    query: factorialQuery,
    answer: factorial,
    costly: true,
  }),
} as const satisfies Endpoints;
