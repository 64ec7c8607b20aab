import { page } from '@heterosis/contracts/common';
import { matchBody, matchResult } from '@heterosis/contracts/match';
import {
  createModelBody,
  gebvQuery,
  gebvRow,
  markerEffect,
  markerEffectsQuery,
  model,
  modelDetail,
  modelEvaluation,
} from '@heterosis/contracts/models';
import { listRunsQuery, traitQuery } from '@heterosis/contracts/runs';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { inProject, registerNamedRunRoutes, withId } from '../runs/index.ts';
import type { ModelDependants } from './dependants.ts';
import { matchInputs } from './match.service.ts';
import { getEvaluation, listGebvs, listMarkerEffects } from './model-results.service.ts';
import { createModel, listModels, models } from './models.service.ts';

const config = { guard: { project: 'MEMBER' } } as const;

/** `users` are the features whose rows rest on models. */
export const modelRoutes =
  (users: readonly ModelDependants[]): FeatureRoutes =>
  (app, services) => {
    app.post(
      '/projects/:project_id/match',
      {
        // Asked again with every choice in a dialog.
        config: { ...config, readOnly: true, rateLimit: { max: 300, timeWindow: '1 minute' } },
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
          querystring: listRunsQuery,
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
    registerNamedRunRoutes(app, services, models, {
      detail: modelDetail,
      // Predictions made with it stay, those under way end with a clear error.
      endUsers: async (trx, projectId, id) => {
        const stopped = [];
        for (const user of users) stopped.push(...(await user.endRunsOf(services, trx, projectId, id)));
        return stopped;
      },
    });
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
