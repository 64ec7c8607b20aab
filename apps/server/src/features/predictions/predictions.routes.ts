import { page, pathId } from '@heterosis/contracts/common';
import {
  createPredictionBody,
  listPredictionsQuery,
  prediction,
  predictionDetail,
  predictionResults,
  predictionResultsQuery,
  updatePredictionBody,
} from '@heterosis/contracts/predictions';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { sendBundle } from '../runs/index.ts';
import {
  bundlePrediction,
  cancelPrediction,
  createPrediction,
  deletePrediction,
  getPrediction,
  getResults,
  listPredictions,
  retryPrediction,
  updatePrediction,
} from './predictions.service.ts';

const inProject = z.object({ project_id: pathId });
const withId = inProject.extend({ id: pathId });
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
  app.get(
    '/projects/:project_id/predictions/:id',
    { config, schema: { summary: 'One prediction', params: withId, response: { 200: predictionDetail } } },
    async (request) => getPrediction(services, requireProjectAccess(request), request.params.id),
  );
  app.put(
    '/projects/:project_id/predictions/:id',
    {
      config,
      schema: {
        summary: 'Rename or describe a prediction',
        params: withId,
        body: updatePredictionBody,
        response: { 200: predictionDetail },
      },
    },
    async (request) =>
      updatePrediction(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.id,
        request.body,
      ),
  );
  app.delete(
    '/projects/:project_id/predictions/:id',
    { config, schema: { summary: 'Delete a prediction', params: withId, response: { 204: z.null() } } },
    async (request, reply) => {
      await deletePrediction(services, requireProjectAccess(request), requirePrincipal(request), {
        id: request.params.id,
        requestId: request.id,
      });
      return reply.status(204).send(null);
    },
  );
  app.get(
    '/projects/:project_id/predictions/:id/bundle',
    {
      config: config,
      schema: {
        summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
        params: withId,
      },
    },
    async (request, reply) => {
      const { projectId } = requireProjectAccess(request);
      return sendBundle(reply, services.storage, await bundlePrediction(services, projectId, request.params.id));
    },
  );
  app.post(
    '/projects/:project_id/predictions/:id/cancel',
    { config, schema: { summary: 'Stop a prediction', params: withId, response: { 200: predictionDetail } } },
    async (request) =>
      cancelPrediction(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
  );
  app.post(
    '/projects/:project_id/predictions/:id/retry',
    {
      config,
      schema: { summary: 'Run a failed prediction again', params: withId, response: { 200: predictionDetail } },
    },
    async (request) =>
      retryPrediction(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
  );
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
