import { passport, passportQuery } from '../../data/passports.ts';
import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';

export const passportsApi = {
  readPassport: get('/projects/:project_id/passport', PROJECT_MEMBER, {
    summary: 'All that a project knows of a line',
    query: passportQuery,
    answer: passport,
    costly: true,
  }),
} as const satisfies Endpoints;
