import { page, pageQuery } from '../../common.ts';
import { binEntry, restored } from '../../data/bin.ts';
import { type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';

export const binApi = {
  listBin: get('/projects/:project_id/bin', PROJECT_MEMBER, {
    summary: 'What was deleted in the last 30 days, the latest first',
    query: pageQuery,
    answer: page(binEntry),
  }),
  restore: post('/projects/:project_id/bin/:id/restore', PROJECT_MEMBER, {
    summary: 'Take something out of the bin',
    answer: restored,
  }),
} as const satisfies Endpoints;
