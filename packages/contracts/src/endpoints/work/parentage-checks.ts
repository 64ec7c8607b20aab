import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import { PARENTAGE_OPTIONS, PARENTAGE_OUTPUTS } from '../../options/parentage-checks.ts';
import {
  createParentageCheckBody,
  listParentageChecksQuery,
  parentageCheck,
  parentageCheckDetail,
  parentageResults,
  parentageResultsQuery,
} from '../../work/parentage-checks.ts';
import type { RunContract } from './run-contract.ts';
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
  }),
} as const satisfies Endpoints;

export const parentageChecksContract: RunContract<typeof parentageChecksApi, typeof PARENTAGE_OPTIONS> = {
  endpoints: parentageChecksApi,
  options: PARENTAGE_OPTIONS,
  outputs: PARENTAGE_OUTPUTS,
  asked: { title: 'Parentage checks', commands: ['parentage'], dialog: 'Check parentage' },
};
