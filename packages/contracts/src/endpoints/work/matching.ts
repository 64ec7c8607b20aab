import { matchBody, matchResult } from '../../data/match.ts';
import { type Endpoints, PROJECT_MEMBER, post } from '../../endpoint.ts';
import { estimateBody, runEstimate } from '../../work/estimates.ts';

export const matchingApi = {
  matchInputs: post('/projects/:project_id/match', PROJECT_MEMBER, {
    summary: 'What the chosen inputs have in common, before a run is started',
    body: matchBody,
    answer: matchResult,
    readOnly: true,
    perMinute: 300,
  }),
  estimateRun: post('/projects/:project_id/estimate', PROJECT_MEMBER, {
    summary: 'Time, memory and disk of a run, before it is started',
    body: estimateBody,
    answer: runEstimate,
    readOnly: true,
    perMinute: 300,
  }),
} as const satisfies Endpoints;
