import { programmesApi } from '@heterosis/contracts/endpoints/work/programmes';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const programmeRuns = runsOf('programme', programmesApi, stateOfWhole);

/** Quantities of a stage over the replicates so far; each replicate that ends is told, and it is read again. */
export const programmeResultsQuery = (
  projectId: string,
  id: string,
  query: { stage: string | undefined; quantities: readonly string[] },
) =>
  queryOptions({
    queryKey: [...keys.runs('programme', projectId), 'results', id, query.stage ?? null, ...query.quantities],
    queryFn: ({ signal }) =>
      call(
        programmesApi.getResults,
        { project_id: projectId, id, query: { stage: query.stage, quantities: query.quantities.join(',') } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** What schemes are filled with. */
export const materialQuery = (projectId: string, genotypeId: string, modelId: string | undefined) =>
  queryOptions({
    queryKey: [...keys.runs('programme', projectId), 'material', genotypeId, modelId ?? null],
    queryFn: ({ signal }) =>
      call(
        programmesApi.getMaterial,
        { project_id: projectId, query: { genotype_id: genotypeId, model_id: modelId } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
