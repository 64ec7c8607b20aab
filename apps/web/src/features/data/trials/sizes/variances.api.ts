import { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import type { TrialAnalysis } from '@heterosis/contracts/work/trial-analyses';
import type { SeriesEstimates } from '@heterosis/statgen/designs/place-model';
import { estimatedVariances, type TrialVariances, variancesOfPlots } from '@heterosis/statgen/designs/trial-sizes';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { listAll } from '../../../../lib/api/pages.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

/** A trait of an analysis of trials that has ended. */
export interface AnalysedTrait {
  analysisId: string;
  name: string;
  trait: string;
  hasSeries: boolean;
}

/** What variances may be taken from, the newest analysis first. */
export const analysedTraitsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.runs('trial_analysis', projectId), 'analysed traits'],
    queryFn: async ({ signal }) =>
      (await listAll(trialAnalysesApi.listRuns, { project_id: projectId, query: {} }, signal)).flatMap(analysedTraits),
  });

const analysedTraits = ({ id, name, traits, status, summary }: TrialAnalysis): AnalysedTrait[] =>
  traits.flatMap((trait) =>
    status[trait] === 'SUCCESS'
      ? [{ analysisId: id, name, trait, hasSeries: (summary[trait]?.structure ?? null) !== null }]
      : [],
  );

/** The variance components that an analysis has estimated of a trait. */
export const variancesQuery = (projectId: string, { analysisId: id, trait, hasSeries }: AnalysedTrait) =>
  queryOptions({
    queryKey: [...keys.runs('trial_analysis', projectId), 'variances', id, trait],
    queryFn: async ({ signal }): Promise<Partial<TrialVariances>> => {
      const asked = { project_id: projectId, id, query: { trait } };
      const [strips, series] = await Promise.all([
        call(trialAnalysesApi.getTrials, asked, { signal }),
        hasSeries ? call(trialAnalysesApi.getSeries, asked, { signal }) : null,
      ]);
      const analysed = strips.data.filter(({ state }) => state === 'ANALYSED');
      return estimatedVariances(
        analysed.map(({ variances }) => variances),
        series?.genetic_covariance ?? null,
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What an analysis has estimated of a series of trials. */
export const seriesQuery = (projectId: string, { analysisId: id, trait }: AnalysedTrait) =>
  queryOptions({
    queryKey: [...keys.runs('trial_analysis', projectId), 'series estimates', id, trait],
    queryFn: async ({ signal }): Promise<SeriesEstimates> => {
      const asked = { project_id: projectId, id, query: { trait } };
      const [strips, series] = await Promise.all([
        call(trialAnalysesApi.getTrials, asked, { signal }),
        call(trialAnalysesApi.getSeries, asked, { signal }),
      ]);
      return {
        environments: series.environments,
        geneticCovariance: series.genetic_covariance,
        loadings: series.loadings,
        specific: series.specific.map(({ value }) => value),
        residualLines: series.residual_lines,
        plots: variancesOfPlots(
          series.environments,
          strips.data.filter(({ state }) => state === 'ANALYSED'),
        ),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
