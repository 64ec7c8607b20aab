import { foundThings, searchQuery } from '../../data/search.ts';
import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';

export const searchApi = {
  searchProject: get('/projects/:project_id/search', PROJECT_MEMBER, {
    summary: 'Files, folders, runs and germplasm by name',
    query: searchQuery,
    answer: foundThings,
  }),
} as const satisfies Endpoints;
