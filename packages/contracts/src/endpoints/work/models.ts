import { page } from '../../common.ts';
import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import {
  createModelBody,
  gebvQuery,
  gebvRow,
  markerEffect,
  markerEffectsQuery,
  model,
  modelDetail,
  modelEvaluation,
} from '../../work/models.ts';
import { listRunsQuery, traitQuery } from '../../work/runs.ts';
import { runEndpoints } from './run-endpoints.ts';

export const modelsApi = {
  ...runEndpoints('model', {
    item: model,
    detail: modelDetail,
    list: { summary: 'List models, newest first', query: listRunsQuery },
    create: { summary: 'Train a model on one or several traits and cross-validate it', body: createModelBody },
  }),
  getEvaluation: get('/projects/:project_id/models/:id/evaluation', PROJECT_MEMBER, {
    summary: 'Cross-validation of one trait',
    query: traitQuery,
    answer: modelEvaluation,
  }),
  listMarkerEffects: get('/projects/:project_id/models/:id/effects', PROJECT_MEMBER, {
    summary: 'Marker effects of one trait, per copy of A2',
    query: markerEffectsQuery,
    answer: page(markerEffect),
    table: true,
  }),
  listGebvs: get('/projects/:project_id/models/:id/gebv', PROJECT_MEMBER, {
    summary: 'Individuals ranked by their genomic estimated breeding values',
    query: gebvQuery,
    answer: page(gebvRow),
    table: true,
  }),
} as const satisfies Endpoints;
