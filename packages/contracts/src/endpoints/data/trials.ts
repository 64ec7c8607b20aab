import { page, pageQuery } from '../../common.ts';
import {
  createTrialsBody,
  listTrialsQuery,
  replaceLayoutBody,
  swapPlotsBody,
  trial,
  trialEvent,
  trialPlots,
  trials,
  updateTrialBody,
} from '../../data/trials.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';

export const trialsApi = {
  listTrials: get('/projects/:project_id/trials', PROJECT_MEMBER, {
    summary: 'Trials, the newest first',
    query: listTrialsQuery,
    answer: page(trial),
  }),
  createTrials: post('/projects/:project_id/trials', PROJECT_MEMBER, {
    summary: 'Lay out trials, one a place',
    description: 'All or none. Lines are found in the germplasm list by their names and synonyms.',
    body: createTrialsBody,
    answer: trials,
    status: 201,
  }),
  getTrial: get('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'One trial',
    answer: trial,
  }),
  updateTrial: put('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'Rename a trial, or change its dates, traits or state',
    description: 'A layout is fixed once the trial is SOWN. A trial with values is not drafted again.',
    body: updateTrialBody,
    answer: trial,
  }),
  deleteTrial: del('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'Move a trial with its values to the bin for 30 days',
  }),
  getPlots: get('/projects/:project_id/trials/:id/plots', PROJECT_MEMBER, {
    summary: 'The plots of a trial, as columns',
    answer: trialPlots,
  }),
  replaceLayout: put('/projects/:project_id/trials/:id/layout', PROJECT_MEMBER, {
    summary: 'Lay out a DRAFT trial anew',
    body: replaceLayoutBody,
    answer: trial,
  }),
  swapPlots: post('/projects/:project_id/trials/:id/swaps', PROJECT_MEMBER, {
    summary: 'Swap what stands on two plots, or take a swap back',
    body: swapPlotsBody,
    answer: trialEvent,
    status: 201,
  }),
  listTrialEvents: get('/projects/:project_id/trials/:id/events', PROJECT_MEMBER, {
    summary: 'What happened to a trial, the latest first',
    query: pageQuery,
    answer: page(trialEvent),
  }),
} as const satisfies Endpoints;
