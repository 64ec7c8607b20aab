import { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import { queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateByTrait } from '../runs/index.ts';

export const trialAnalysisRuns = runsOf('trial_analysis', trialAnalysesApi, stateByTrait);

/** A trial of an analysis: what its figures are asked for by. */
export interface TrialPlace {
  projectId: string;
  analysisId: string;
  environment: string;
  trait: string;
}

const keyOf = (projectId: string, id: string, what: string) => [...keys.runs('trial_analysis', projectId), what, id];
/** The results of an analysis that has ended do not change. */
const KEPT = { staleTime: Number.POSITIVE_INFINITY } satisfies Partial<UseQueryOptions>;

export const trialStripsQuery = (projectId: string, id: string, trait: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'trials'), trait],
    queryFn: ({ signal }) =>
      call(trialAnalysesApi.getTrials, { project_id: projectId, id, query: { trait } }, { signal }),
    ...KEPT,
  });

export const trialPlotsQuery = ({ projectId, analysisId: id, environment, trait }: TrialPlace) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'plots'), environment, trait],
    queryFn: ({ signal }) =>
      call(trialAnalysesApi.getPlots, { project_id: projectId, id, query: { environment, trait } }, { signal }),
    ...KEPT,
  });

export const trialVariogramQuery = ({ projectId, analysisId: id, environment, trait }: TrialPlace) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'variogram'), environment, trait],
    queryFn: ({ signal }) =>
      call(trialAnalysesApi.getVariogram, { project_id: projectId, id, query: { environment, trait } }, { signal }),
    ...KEPT,
  });

/** All means of one trial: a dot plot shows them together. */
export const trialMeansQuery = ({ projectId, analysisId: id, environment, trait }: TrialPlace) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'means'), environment, trait],
    queryFn: ({ signal }) =>
      listAll(trialAnalysesApi.getMeans, { project_id: projectId, id, query: { environment, trait } }, signal),
    ...KEPT,
  });

export const trialSeriesQuery = (projectId: string, id: string, trait: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'series'), trait],
    queryFn: ({ signal }) =>
      call(trialAnalysesApi.getSeries, { project_id: projectId, id, query: { trait } }, { signal }),
    ...KEPT,
  });

export const trialLineQuery = (projectId: string, id: string, trait: string, name: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id, 'line'), trait, name],
    queryFn: ({ signal }) =>
      call(trialAnalysesApi.getLine, { project_id: projectId, id, name, query: { trait } }, { signal }),
    ...KEPT,
  });
