import { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

/** Lines of a ranking on the overview. */
export const BEST_LINES = 5;

/** How many individuals of a genotype file have phenotypes. */
export const sharedLinesQuery = (projectId: string, body: { genotype_id: string; phenotype_id: string }) =>
  queryOptions({
    queryKey: [...keys.match(projectId), body],
    queryFn: ({ signal }) => call(matchingApi.matchInputs, { project_id: projectId, body }, { signal }),
    staleTime: 60_000,
  });

/** The individuals with the best breeding values of a trait: the highest, or with `gebv` the lowest. */
export const bestLinesQuery = (
  projectId: string,
  { modelId, trait, sort }: { modelId: string; trait: string; sort: '-gebv' | 'gebv' },
) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'best-lines', modelId, trait, sort],
    queryFn: ({ signal }) =>
      call(
        modelsApi.listGebvs,
        { project_id: projectId, id: modelId, query: { trait, sort, limit: BEST_LINES } },
        { signal },
      ),
    select: ({ data }) => data,
  });

/** The first lines of a prediction by the index of the project, and what the index is. */
export const bestByIndexQuery = (projectId: string, predictionId: string) =>
  queryOptions({
    queryKey: [...keys.runs('prediction', projectId), 'results', predictionId, 'best-lines'],
    queryFn: ({ signal }) =>
      call(
        predictionsApi.getResults,
        { project_id: projectId, id: predictionId, query: { sort: '-index', limit: BEST_LINES } },
        { signal },
      ),
  });

/**
 * The most useful crosses of a trait, and how many there are. Whether high or low values were wanted is the
 * simulation's, and its best cross tells.
 */
export const bestCrossesQuery = (
  projectId: string,
  { simulationId, trait, best }: { simulationId: string; trait: string; best: string },
) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'best-crosses', simulationId, trait, best],
    queryFn: async ({ signal }) => {
      const sorted = (sort: '-usefulness' | 'usefulness') =>
        call(
          crossingSimulationsApi.getResults,
          { project_id: projectId, id: simulationId, query: { trait, sort, limit: BEST_LINES } },
          { signal },
        );
      const high = await sorted('-usefulness');
      return high.data[0]?.cross === best ? high : await sorted('usefulness');
    },
    select: ({ data }) => data,
  });

/** Float32 triples: index of the chromosome, position in bp, −log10 p. */
export const genomeScanQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'plot', gwasId, trait, 'genome'],
    queryFn: async ({ signal }) =>
      new Float32Array(
        await (
          await call(gwasApi.getPlotPoints, { project_id: projectId, id: gwasId, query: { trait } }, { signal })
        ).arrayBuffer(),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
