import { page } from '@heterosis/contracts/common';
import {
  type createModelBody,
  gebvRow,
  markerEffect,
  model,
  modelDetail,
  modelEvaluation,
} from '@heterosis/contracts/models';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runPath, runQueries, stateByTrait, useRunMutations } from '../runs/index.ts';

const path = (projectId: string, id: string): string => runPath('model', projectId, id);

const queries = runQueries('model', { item: model, detail: modelDetail, stateOf: stateByTrait });
export const modelsQuery = queries.list;
export const modelQuery = queries.detail;

export const modelEvaluationQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'evaluation', modelId, trait],
    queryFn: ({ signal }) =>
      api.get(modelEvaluation, `${path(projectId, modelId)}/evaluation`, { query: { trait }, signal }),
  });

const ROWS_AT_ONCE = 500;

export const markerEffectsQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: 'position' | '-abs_effect'; search: string },
) =>
  endlessList({
    queryKey: [...keys.runs('model', projectId), 'effects', modelId],
    path: `${path(projectId, modelId)}/effects`,
    item: markerEffect,
    pageSize: ROWS_AT_ONCE,
    query: { ...query, search: query.search || undefined },
  });

/** Every marker effect of a trait, for the plot along the genome. */
export const allMarkerEffectsQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'all-effects', modelId, trait],
    queryFn: ({ signal }) => listAll(markerEffect, `${path(projectId, modelId)}/effects`, { query: { trait }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gebvQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: '-gebv' | 'gebv' | 'individual'; search: string },
) =>
  endlessList({
    queryKey: [...keys.runs('model', projectId), 'gebv', modelId],
    path: `${path(projectId, modelId)}/gebv`,
    item: gebvRow,
    pageSize: ROWS_AT_ONCE,
    query: { ...query, search: query.search || undefined },
  });

/** The names of the first individuals by GEBV. */
export async function bestByGebv(
  projectId: string,
  modelId: string,
  { trait, sort, count }: { trait: string; sort: '-gebv' | 'gebv'; count: number },
): Promise<string[]> {
  const query = { trait, sort, limit: count };
  const { data } = await api.get(page(gebvRow), `${path(projectId, modelId)}/gebv`, { query });
  return data.map(({ individual }) => individual);
}

export const useModelMutations = (projectId: string) =>
  useRunMutations<typeof modelDetail, z.input<typeof createModelBody>>(projectId, 'model', modelDetail);
