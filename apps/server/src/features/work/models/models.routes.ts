import { page } from '@heterosis/contracts/common';
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
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { type RunsOnInput, registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { models } from './model.kind.ts';
import { getEvaluation, listGebvs, listMarkerEffects } from './model-results.service.ts';
import { createModel } from './models.service.ts';

/** `users` are the kinds of run that take models as inputs. */
export const modelRoutes =
  (users: readonly RunsOnInput[]): FeatureRoutes =>
  (app, services) => {
    registerRunKindRoutes(app, services, models, {
      item: model,
      detail: modelDetail,
      list: { summary: 'List models, newest first', query: listRunsQuery },
      create: {
        summary: 'Train a model on one or several traits and cross-validate it',
        body: createModelBody,
        create: createModel,
      },
      // Results made with the model are kept; runs that still need it end with an error that says why.
      endUsers: async (trx, projectId, id) => {
        const stopped = [];
        for (const user of users) stopped.push(...(await user.endRunsOf(services, trx, projectId, id)));
        return stopped;
      },
    });
    app.get(
      '/projects/:project_id/models/:id/evaluation',
      {
        config: forProjectMembers,
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
        config: forProjectMembers,
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
        config: forProjectMembers,
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
