import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateByTrait } from '../runs/index.ts';

export const modelRuns = runsOf('model', modelsApi, stateByTrait);

export const modelEvaluationQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'evaluation', modelId, trait],
    queryFn: ({ signal }) =>
      call(modelsApi.getEvaluation, { project_id: projectId, id: modelId, query: { trait } }, { signal }),
  });

const ROWS_AT_ONCE = 500;

export const markerEffectsQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: 'position' | '-abs_effect'; search: string },
) =>
  endlessList({
    queryKey: [...keys.runs('model', projectId), 'effects', modelId],
    endpoint: modelsApi.listMarkerEffects,
    request: { project_id: projectId, id: modelId, query: { ...query, search: query.search || undefined } },
    pageSize: ROWS_AT_ONCE,
  });

/** Every marker effect of a trait, for the plot along the genome. */
export const allMarkerEffectsQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'all-effects', modelId, trait],
    queryFn: ({ signal }) =>
      listAll(modelsApi.listMarkerEffects, { project_id: projectId, id: modelId, query: { trait } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gebvQuery = (
  projectId: string,
  modelId: string,
  query: { trait: string; sort: '-gebv' | 'gebv' | 'individual'; search: string },
) =>
  endlessList({
    queryKey: [...keys.runs('model', projectId), 'gebv', modelId],
    endpoint: modelsApi.listGebvs,
    request: { project_id: projectId, id: modelId, query: { ...query, search: query.search || undefined } },
    pageSize: ROWS_AT_ONCE,
  });

/** The names of the first individuals by GEBV. */
export async function bestByGebv(
  projectId: string,
  modelId: string,
  { trait, sort, count }: { trait: string; sort: '-gebv' | 'gebv'; count: number },
): Promise<string[]> {
  const query = { trait, sort, limit: count };
  const { data } = await call(modelsApi.listGebvs, { project_id: projectId, id: modelId, query });
  return data.map(({ individual }) => individual);
}
