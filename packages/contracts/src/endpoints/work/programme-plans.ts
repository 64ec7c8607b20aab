import { pathId } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import {
  linkStepBody,
  planOutcome,
  programmePlan,
  programmePlanAnswer,
  startPlanBody,
  stepKey,
  stepListBody,
  updatePlanBody,
  updateStepBody,
} from '../../work/programmes/programme-plans.ts';

const step = { step: stepKey };

export const programmePlansApi = {
  getPlan: get('/projects/:project_id/programmes/:id/plan', PROJECT_MEMBER, {
    summary: 'The plan of a programme in the field, with what the project has of each step',
    answer: programmePlanAnswer,
  }),
  startPlan: post('/projects/:project_id/programmes/:id/plan', PROJECT_MEMBER, {
    summary: 'Start a simulated programme in the field: its stages become steps with dates',
    body: startPlanBody,
    answer: programmePlan,
    status: 201,
  }),
  updatePlan: put('/projects/:project_id/programmes/:id/plan', PROJECT_MEMBER, {
    summary: 'Move the whole plan to another beginning',
    body: updatePlanBody,
    answer: programmePlan,
  }),
  stopPlan: del('/projects/:project_id/programmes/:id/plan', PROJECT_MEMBER, {
    summary: 'Forget the plan with its dates, notes and links; what is linked stays',
  }),
  updateStep: put('/projects/:project_id/programmes/:id/plan/steps/:step', PROJECT_MEMBER, {
    summary: 'Say that a step is done or left out, or set its date or note',
    description: 'A date moves the steps after it by as much.',
    params: step,
    body: updateStepBody,
    answer: programmePlan,
  }),
  linkStep: post('/projects/:project_id/programmes/:id/plan/steps/:step/links', PROJECT_MEMBER, {
    summary: 'Link a list, crossing plan, trial, decision or the like with a step',
    description: 'Linking it again changes nothing.',
    params: step,
    body: linkStepBody,
    answer: programmePlan,
    status: 201,
  }),
  unlinkStep: del('/projects/:project_id/programmes/:id/plan/links/:link_id', PROJECT_MEMBER, {
    summary: 'Take a link from a step; what was linked stays',
    params: { link_id: pathId },
  }),
  keepStepList: post('/projects/:project_id/programmes/:id/plan/steps/:step/list', PROJECT_MEMBER, {
    summary: 'Keep a list for a step and link it: the parents, the lines to come, or the entries of a trial',
    description:
      'Of crosses and selections: the list of the step before, otherwise the founders. Of new lines: as many as the scheme has, which are added to the germplasm list with the parents that the linked crossing plan (or list) says, so that trials of them can be laid out; lines that it has already with the same parents stay. Of a trial: what it tests, new lines as above.',
    params: step,
    body: stepListBody,
    answer: programmePlan,
    status: 201,
  }),
  getPlanOutcome: get('/projects/:project_id/programmes/:id/plan/outcome', PROJECT_MEMBER, {
    summary: 'Expected and realised gain of the steps of a plan',
    description:
      'Realised gains come from linked decisions (the values of the newest trial analysis since) and from linked trial analyses.',
    answer: planOutcome,
    costly: true,
  }),
} as const satisfies Endpoints;
