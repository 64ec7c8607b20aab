import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import {
  createProgrammeBody,
  listProgrammesQuery,
  programme,
  programmeDetail,
  programmeMaterial,
  programmeMaterialQuery,
  programmeResults,
  programmeResultsQuery,
} from '../../work/programmes.ts';
import { runEndpoints } from './run-endpoints.ts';

export const programmesApi = {
  ...runEndpoints('programme', {
    item: programme,
    detail: programmeDetail,
    list: { summary: 'List programme simulations, newest first', query: listProgrammesQuery },
    create: { summary: 'Simulate breeding programmes over years on the same numbers', body: createProgrammeBody },
  }),
  getResults: get('/projects/:project_id/programmes/:id/results', PROJECT_MEMBER, {
    summary: 'Quantities of a stage by cycle and year, over the replicates so far',
    description: 'Also while it runs: then over the replicates that have ended.',
    query: programmeResultsQuery,
    answer: programmeResults,
  }),
  getMaterial: get('/projects/:project_id/programme_material', PROJECT_MEMBER, {
    summary: 'Founders, loci and variances that schemes are filled with',
    query: programmeMaterialQuery,
    answer: programmeMaterial,
  }),
} as const satisfies Endpoints;
