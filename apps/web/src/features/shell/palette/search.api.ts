import { germplasmOfOrganizationApi } from '@heterosis/contracts/endpoints/data/germplasm';
import { searchApi } from '@heterosis/contracts/endpoints/data/search';
import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** Files, folders, runs and germplasm of a project by name. What was found last stays until the next answer. */
export const searchQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'search', search],
    queryFn: ({ signal }) => call(searchApi.searchProject, { project_id: projectId, query: { search } }, { signal }),
    placeholderData: keepPreviousData,
  });

const MOST_GERMPLASM = 8;

/** Germplasm of an organization. */
export const germplasmSearchQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: [...keys.germplasm({ kind: 'organization', id: organizationId }), 'palette', search],
    queryFn: ({ signal }) =>
      call(
        germplasmOfOrganizationApi.listGermplasms,
        { organization_id: organizationId, query: { search, limit: MOST_GERMPLASM } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

const MOST_MARKERS = 5;
/** Two letters are in the names of most markers. */
const SHORTEST_MARKER = 3;

/** Markers that a GWAS tested, by name. */
export const markerSearchQuery = (projectId: string, gwasId: string, trait: string, search: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'palette', gwasId, trait, search],
    queryFn: ({ signal }) =>
      call(
        gwasApi.listResults,
        { project_id: projectId, id: gwasId, query: { trait, search, limit: MOST_MARKERS } },
        { signal },
      ),
    enabled: search.length >= SHORTEST_MARKER,
    placeholderData: keepPreviousData,
  });
