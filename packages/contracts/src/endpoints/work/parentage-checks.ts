import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import {
  createParentageCheckBody,
  listParentageChecksQuery,
  parentageCheck,
  parentageCheckDetail,
  parentageResults,
  parentageResultsQuery,
} from '../../work/parentage-checks.ts';
import { runEndpoints } from './run-endpoints.ts';

export const parentageChecksApi = {
  ...runEndpoints('parentage_check', {
    item: parentageCheck,
    detail: parentageCheckDetail,
    list: { summary: 'List parentage checks, newest first', query: listParentageChecksQuery },
    create: { summary: 'Check a genotype against a pedigree', body: createParentageCheckBody },
  }),
  getParentageResults: get('/projects/:project_id/parentage_checks/:id/results', PROJECT_MEMBER, {
    summary: 'What was found of each individual, page by page',
    query: parentageResultsQuery,
    answer: parentageResults,
    table: true,
  }),
} as const satisfies Endpoints;
