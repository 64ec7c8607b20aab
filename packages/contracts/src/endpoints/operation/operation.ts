import { page, pageQuery } from '../../common.ts';
import { type Endpoints, get, post, put } from '../../endpoint.ts';
import {
  failedRun,
  mailsQuery,
  operatedMail,
  operatedOrganization,
  operatedWorkers,
  queueDepths,
  quotasBody,
  registration,
  registrationDecision,
  registrationsQuery,
  rejectRegistrationBody,
} from '../../operation.ts';

export const operationApi = {
  listRegistrationsToDecide: get('/operator/registrations', 'operator', {
    summary: 'Requests for accounts',
    query: registrationsQuery,
    answer: page(registration),
  }),
  approveRegistration: post('/operator/registrations/:id/approve', 'operator', {
    summary: 'Approve a request for an account',
    answer: registrationDecision,
  }),
  rejectRegistration: post('/operator/registrations/:id/reject', 'operator', {
    summary: 'Reject a request for an account',
    body: rejectRegistrationBody,
    answer: registrationDecision,
  }),
  listOperatedOrganizations: get('/operator/organizations', 'operator', {
    summary: 'All organizations with what they use',
    query: pageQuery,
    answer: page(operatedOrganization),
  }),
  changeQuotas: put('/operator/organizations/:id/quotas', 'operator', {
    summary: 'Change what an organization may use',
    body: quotasBody,
    answer: operatedOrganization,
  }),
  getQueueDepths: get('/operator/queue', 'operator', {
    summary: 'Jobs that wait and run, by lane',
    answer: queueDepths,
  }),
  getWorkers: get('/operator/workers', 'operator', {
    summary: 'Workers, and what they offer their jobs',
    answer: operatedWorkers,
  }),
  listRunsToRepeat: get('/operator/failed_runs', 'operator', {
    summary: 'Runs that failed for reasons of the installation',
    query: pageQuery,
    answer: page(failedRun),
  }),
  repeatFailedRun: post('/operator/failed_runs/:id/retry', 'operator', {
    summary: 'Repeat a failed run',
  }),
  listOperatedMails: get('/operator/mails', 'operator', {
    summary: 'Mails and what became of them',
    query: mailsQuery,
    answer: page(operatedMail),
  }),
  repeatFailedMail: post('/operator/mails/:id/retry', 'operator', {
    summary: 'Send a failed mail again',
  }),
} as const satisfies Endpoints;
