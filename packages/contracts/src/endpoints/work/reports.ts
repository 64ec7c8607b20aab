import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
import { minutesQuery } from '../../work/decisions.ts';
import { reportQuery } from '../../work/runs.ts';

const PDF = { media: ['application/pdf'], costly: true, head: false } as const;

/** Reports of what is no run; those of runs are with their kinds (`reportRun`). */
export const reportsApi = {
  reportProject: get('/projects/:project_id/report', PROJECT_MEMBER, {
    summary: 'What is in a project and what came of it, as a report (PDF)',
    query: reportQuery,
    ...PDF,
  }),
  reportTrial: get('/projects/:project_id/trials/:id/report', PROJECT_MEMBER, {
    summary: 'Design, map, values and outliers of a trial as a report (PDF)',
    query: reportQuery,
    ...PDF,
  }),
  reportDecision: get('/projects/:project_id/decisions/:id/report', PROJECT_MEMBER, {
    summary: 'Minutes of a closed decision as a report (PDF)',
    query: reportQuery.extend(minutesQuery.shape),
    ...PDF,
  }),
} as const satisfies Endpoints;
