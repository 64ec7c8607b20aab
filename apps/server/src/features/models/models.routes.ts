import { page, pathId } from '@heterosis/contracts/common';
import { matchBody, matchResult } from '@heterosis/contracts/match';
import {
  createModelBody,
  gebvQuery,
  gebvRow,
  listModelsQuery,
  markerEffect,
  markerEffectsQuery,
  model,
  modelDetail,
  modelEvaluation,
  traitQuery,
  updateModelBody,
} from '@heterosis/contracts/models';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { sendBundle } from '../runs/index.ts';
import type { ModelDependants } from './dependants.ts';
import { matchInputs } from './match.service.ts';
import { getEvaluation, listGebvs, listMarkerEffects } from './model-results.service.ts';
import {
  bundleModel,
  cancelModel,
  createModel,
  deleteModel,
  getModel,
  listModels,
  retryModel,
  updateModel,
} from './models.service.ts';

const inProject = z.object({ project_id: pathId });
const withId = inProject.extend({ id: pathId });
const config = { guard: { project: 'MEMBER' } } as const;

/** `users` are the features whose rows rest on models. */
export const modelRoutes =
  (users: readonly ModelDependants[]): FeatureRoutes =>
  (app, services) => {
    app.post(
      '/projects/:project_id/match',
      {
        config: { ...config, readOnly: true },
        schema: {
          summary: 'What the chosen inputs have in common, before a run is started',
          params: inProject,
          body: matchBody,
          response: { 200: matchResult },
        },
      },
      async (request) => matchInputs(services, requireProjectAccess(request), request.body),
    );
    app.get(
      '/projects/:project_id/models',
      {
        config,
        schema: {
          summary: 'List models, newest first',
          params: inProject,
          querystring: listModelsQuery,
          response: { 200: page(model) },
        },
      },
      async (request) => listModels(services, requireProjectAccess(request), request.query),
    );
    app.post(
      '/projects/:project_id/models',
      {
        config,
        schema: {
          summary: 'Train a model on one or several traits and cross-validate it',
          params: inProject,
          body: createModelBody,
          response: { 201: modelDetail },
        },
      },
      async (request, reply) =>
        reply
          .status(201)
          .send(await createModel(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
    );
    app.get(
      '/projects/:project_id/models/:id',
      { config, schema: { summary: 'One model', params: withId, response: { 200: modelDetail } } },
      async (request) => getModel(services, requireProjectAccess(request), request.params.id),
    );
    app.put(
      '/projects/:project_id/models/:id',
      {
        config,
        schema: {
          summary: 'Rename or describe a model',
          params: withId,
          body: updateModelBody,
          response: { 200: modelDetail },
        },
      },
      async (request) =>
        updateModel(
          services,
          requireProjectAccess(request),
          requirePrincipal(request),
          request.params.id,
          request.body,
        ),
    );
    app.delete(
      '/projects/:project_id/models/:id',
      { config, schema: { summary: 'Delete a model', params: withId, response: { 204: z.null() } } },
      async (request, reply) => {
        await deleteModel(
          services,
          requireProjectAccess(request),
          requirePrincipal(request),
          { id: request.params.id, requestId: request.id },
          users,
        );
        return reply.status(204).send(null);
      },
    );
    app.get(
      '/projects/:project_id/models/:id/bundle',
      {
        config: config,
        schema: {
          summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
          params: withId,
        },
      },
      async (request, reply) => {
        const { projectId } = requireProjectAccess(request);
        return sendBundle(reply, services.storage, await bundleModel(services, projectId, request.params.id));
      },
    );
    app.post(
      '/projects/:project_id/models/:id/cancel',
      { config, schema: { summary: 'Stop what is running', params: withId, response: { 200: modelDetail } } },
      async (request) =>
        cancelModel(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
    );
    app.post(
      '/projects/:project_id/models/:id/retry',
      { config, schema: { summary: 'Run again what failed', params: withId, response: { 200: modelDetail } } },
      async (request) =>
        retryModel(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
    );
    app.get(
      '/projects/:project_id/models/:id/evaluation',
      {
        config,
        schema: {
          summary: 'Cross-validation of one trait',
          params: withId,
          querystring: traitQuery,
          response: { 200: modelEvaluation },
        },
      },
      async (request) => getEvaluation(services, requireProjectAccess(request), request.params.id, request.query.trait),
    );
    app.get(
      '/projects/:project_id/models/:id/effects',
      {
        config,
        schema: {
          summary: 'Marker effects of one trait, per copy of A2',
          params: withId,
          querystring: markerEffectsQuery,
          response: { 200: page(markerEffect) },
        },
      },
      async (request) => listMarkerEffects(services, requireProjectAccess(request), request.params.id, request.query),
    );
    app.get(
      '/projects/:project_id/models/:id/gebv',
      {
        config,
        schema: {
          summary: 'Individuals ranked by their genomic estimated breeding values',
          params: withId,
          querystring: gebvQuery,
          response: { 200: page(gebvRow) },
        },
      },
      async (request) => listGebvs(services, requireProjectAccess(request), request.params.id, request.query),
    );
  };
