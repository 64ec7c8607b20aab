import { page } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import {
  closeDecisionBody,
  createDecisionBody,
  decision,
  decisionDetail,
  decisionLines,
  decisionMarks,
  decisionOutcome,
  decisionSet,
  listDecisionsQuery,
  listMarksQuery,
  minutesQuery,
  recordedMarks,
  recordMarksBody,
  reopenDecisionBody,
  updateDecisionBody,
} from '../../work/decisions.ts';
import { citation } from '../../work/runs.ts';

/** Ten people in one network, each reading what the others mark as they mark it. */
const IN_A_MEETING = 6_000;

export const decisionsApi = {
  listDecisions: get('/projects/:project_id/decisions', PROJECT_MEMBER, {
    summary: 'Decisions, the newest first',
    query: listDecisionsQuery,
    answer: page(decision),
  }),
  createDecision: post('/projects/:project_id/decisions', PROJECT_MEMBER, {
    summary: 'Put candidates on the table',
    description:
      'Candidates are the lines of the source. Their values come from it, from the newest trial analysis and from the newest prediction that have results, each pinned by the hash of its table.',
    body: createDecisionBody,
    answer: decisionDetail,
    status: 201,
    costly: true,
  }),
  getDecision: get('/projects/:project_id/decisions/:id', PROJECT_MEMBER, {
    summary: 'One decision with what is on the table',
    answer: decisionDetail,
    perMinute: IN_A_MEETING,
  }),
  updateDecision: put('/projects/:project_id/decisions/:id', PROJECT_MEMBER, {
    summary: 'Rename a decision, or change its settings or its chair',
    description: 'With other settings, index and probabilities are computed again.',
    body: updateDecisionBody,
    answer: decisionDetail,
  }),
  refreshDecision: post('/projects/:project_id/decisions/:id/refresh', PROJECT_MEMBER, {
    summary: 'Put the newest runs on the table of an open decision',
    description:
      'The chair, or a manager of the project. Lines and marks stay; values, index and probabilities are those of the newest trial analysis and prediction, pinned by their hashes. Refused where nothing is newer.',
    answer: decisionDetail,
    costly: true,
  }),
  deleteDecision: del('/projects/:project_id/decisions/:id', PROJECT_MEMBER, {
    summary: 'Move a decision to the bin for 30 days; its list stays',
  }),
  getDecisionLines: get('/projects/:project_id/decisions/:id/lines', PROJECT_MEMBER, {
    summary: 'The candidates with their values, as columns',
    answer: decisionLines,
  }),
  listMarks: get('/projects/:project_id/decisions/:id/marks', PROJECT_MEMBER, {
    summary: 'Marks of a decision in the order of arrival',
    query: listMarksQuery,
    answer: decisionMarks,
    perMinute: IN_A_MEETING,
  }),
  recordMarks: post('/projects/:project_id/decisions/:id/marks', PROJECT_MEMBER, {
    summary: 'Mark candidates: advance, hold, drop or undecided',
    description: 'All or none, each once: a request that is sent again stores nothing twice.',
    body: recordMarksBody,
    answer: recordedMarks,
    perMinute: IN_A_MEETING,
  }),
  getDecisionSet: get('/projects/:project_id/decisions/:id/set', PROJECT_MEMBER, {
    summary: 'Diversity, expected gain and cost of the lines that are to advance',
    answer: decisionSet,
    perMinute: IN_A_MEETING,
  }),
  closeDecision: post('/projects/:project_id/decisions/:id/close', PROJECT_MEMBER, {
    summary: 'Close a decision with its minutes and keep the advanced lines as a list',
    description: 'The chair, or a manager of the project. Lines on which people disagree are settled first.',
    body: closeDecisionBody,
    answer: decisionDetail,
  }),
  reopenDecision: post('/projects/:project_id/decisions/:id/reopen', PROJECT_MEMBER, {
    summary: 'Reopen a closed decision as a new version; the minutes of the old one stay',
    body: reopenDecisionBody,
    answer: decisionDetail,
  }),
  getMinutes: get('/projects/:project_id/decisions/:id/minutes', PROJECT_MEMBER, {
    summary: 'Lines of a closed decision with their values, marks and reasons, as CSV',
    description: 'As PDF: its report.',
    query: minutesQuery,
    media: ['text/csv'],
    costly: true,
    head: false,
  }),
  citeDecision: get('/projects/:project_id/decisions/:id/citation', PROJECT_MEMBER, {
    summary: 'How to cite a closed decision: text, lasting address and hash of its minutes',
    answer: citation,
  }),
  getDecisionOutcome: get('/projects/:project_id/decisions/:id/outcome', PROJECT_MEMBER, {
    summary: 'What came of a closed decision: values since, gain, accuracy and regret',
    answer: decisionOutcome,
    costly: true,
  }),
} as const satisfies Endpoints;
