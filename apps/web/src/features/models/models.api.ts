import {
  type createModelBody,
  gebvRow,
  type Model,
  markerEffect,
  model,
  modelDetail,
  modelEvaluation,
} from '@heterosis/contracts/models';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { pollWhile } from '../../lib/live.ts';
import { endlessList, listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';
import { isRunning, useRunMutations } from '../runs/index.ts';

const isAnyRunning = (models: readonly Model[] | undefined): boolean =>
  models?.some((one) => isRunning(one.status)) ?? false;

/** SPEC's grouping is done here in the browser, so that all models of the project are read. */
export const modelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.models(projectId), 'list'],
    queryFn: ({ signal }) => listAll(model, `/projects/${projectId}/models`, { signal }),
    refetchInterval: (query) => pollWhile(isAnyRunning(query.state.data)),
  });

export const modelQuery = (projectId: string, modelId: string) =>
  queryOptions({
    queryKey: [...keys.models(projectId), 'detail', modelId],
    queryFn: ({ signal }) => api.get(modelDetail, `/projects/${projectId}/models/${modelId}`, { signal }),
    refetchInterval: (query) => pollWhile(query.state.data !== undefined && isRunning(query.state.data.status)),
  });

export const modelEvaluationQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.models(projectId), 'evaluation', modelId, trait],
    queryFn: ({ signal }) =>
      api.get(modelEvaluation, `/projects/${projectId}/models/${modelId}/evaluation`, { query: { trait }, signal }),
  });

const ROWS_AT_ONCE = 500;

export const markerEffectsQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: 'position' | '-abs_effect'; search: string },
) =>
  endlessList({
    queryKey: [...keys.models(projectId), 'effects', modelId],
    path: `/projects/${projectId}/models/${modelId}/effects`,
    item: markerEffect,
    pageSize: ROWS_AT_ONCE,
    query: { ...query, search: query.search || undefined },
  });

/** Every marker effect of a trait, for the plot along the genome. */
export const allMarkerEffectsQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.models(projectId), 'all-effects', modelId, trait],
    queryFn: ({ signal }) =>
      listAll(markerEffect, `/projects/${projectId}/models/${modelId}/effects`, { query: { trait }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gebvQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: '-gebv' | 'gebv' | 'individual'; search: string },
) =>
  endlessList({
    queryKey: [...keys.models(projectId), 'gebv', modelId],
    path: `/projects/${projectId}/models/${modelId}/gebv`,
    item: gebvRow,
    pageSize: ROWS_AT_ONCE,
    query: { ...query, search: query.search || undefined },
  });

export const useModelMutations = (projectId: string) =>
  useRunMutations<typeof modelDetail, z.input<typeof createModelBody>>(projectId, 'models', modelDetail);
