import { pedigreeApi } from '@heterosis/contracts/endpoints/data/pedigree';
import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { type Place, parametersOf } from '../../../lib/browser/place.ts';

const ENDPOINTS = {
  organization: {
    pedigree: pedigreeApi.getPedigreeOfOrganization,
    coancestries: pedigreeApi.getCoancestriesOfOrganization,
  },
  project: { pedigree: pedigreeApi.getPedigreeOfProject, coancestries: pedigreeApi.getCoancestriesOfProject },
} as const;

/** A change of the germplasm is one of its pedigree. */
const keyOf = (place: Place) => [...keys.germplasm(place), 'pedigree'] as const;

export const pedigreeQuery = (place: Place, query: { crop_id?: string | undefined; whole_crop?: 'true' | undefined }) =>
  queryOptions({
    queryKey: [...keyOf(place), query],
    queryFn: ({ signal }) => call(ENDPOINTS[place.kind].pedigree, { ...parametersOf(place), query }, { signal }),
  });

export const coancestriesQuery = (place: Place, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...keyOf(place), 'coancestries', ids],
    queryFn: ({ signal }) =>
      call(ENDPOINTS[place.kind].coancestries, { ...parametersOf(place), query: { id: [...ids] } }, { signal }),
  });

/** Models of a project whose values can colour its pedigree. */
export const coloringModelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), 'for-pedigree'],
    queryFn: ({ signal }) => listAll(modelsApi.listRuns, { project_id: projectId }, signal),
  });

/** GEBVs and phenotypes of one trait of a model, by name. */
export const modelValuesQuery = (projectId: string, modelId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('model', projectId), modelId, 'values', trait],
    queryFn: ({ signal }) =>
      listAll(modelsApi.listGebvs, { project_id: projectId, id: modelId, query: { trait } }, signal),
  });
