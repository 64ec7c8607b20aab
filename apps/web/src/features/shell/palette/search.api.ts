import { germplasmList } from '@heterosis/contracts/germplasm';
import { foundThings } from '@heterosis/contracts/search';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api-client.ts';
import { keys } from '../../../lib/query-keys.ts';

/** Files, folders, runs and germplasm of a project by name. What was found last stays until the next answer. */
export const searchQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'search', search],
    queryFn: ({ signal }) => api.get(foundThings, `/projects/${projectId}/search`, { query: { search }, signal }),
    placeholderData: keepPreviousData,
  });

const MOST_GERMPLASM = 8;

/** Germplasm of an organization. */
export const germplasmSearchQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: [...keys.germplasm({ kind: 'organization', id: organizationId }), 'palette', search],
    queryFn: ({ signal }) =>
      api.get(germplasmList, `/organizations/${organizationId}/germplasms`, {
        query: { search, limit: MOST_GERMPLASM },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
