import { page } from '@heterosis/contracts/common';
import {
  createPredictionBody,
  listPredictionsQuery,
  prediction,
  predictionDetail,
  predictionResults,
  predictionResultsQuery,
} from '@heterosis/contracts/predictions';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { inProject, registerNamedRunRoutes, withId } from '../runs/index.ts';
import { getResults } from './prediction-results.service.ts';
import { createPrediction, listPredictions, predictions } from './predictions.service.ts';

const config = { guard: { project: 'MEMBER' } } as const;

export const predictionRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/predictions',
    {
      config,
      schema: {
        summary: 'List predictions, newest first',
        params: inProject,
        querystring: listPredictionsQuery,
        response: { 200: page(prediction) },
      },
    },
    async (request) => listPredictions(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/predictions',
    {
      config,
      schema: {
        summary: 'Predict a genotype with a trained model',
        params: inProject,
        body: createPredictionBody,
        response: { 201: predictionDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createPrediction(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  registerNamedRunRoutes(app, services, predictions, { detail: predictionDetail });
  app.get(
    '/projects/:project_id/predictions/:id/results',
    {
      config,
      schema: {
        summary: 'Predicted values, page by page',
        params: withId,
        querystring: predictionResultsQuery,
        response: { 200: predictionResults },
      },
    },
    async (request) => getResults(services, requireProjectAccess(request), request.params.id, request.query),
  );
};
