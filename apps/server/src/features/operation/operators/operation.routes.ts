import { page, pageQuery, pathId } from '@heterosis/contracts/common';
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
} from '@heterosis/contracts/operation';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { listWorkers } from '../../../platform/job-queue/workers.ts';
import { listQueueDepths } from './operation.queries.ts';
import {
  changeQuotas,
  decideRegistration,
  listOperatedMails,
  listOperatedOrganizations,
  listRegistrationsToDecide,
  listRunsToRepeat,
  type Repeatable,
  repeatFailedMail,
  repeatFailedRun,
} from './operation.service.ts';

const config = { guard: 'operator' } as const;
const params = z.object({ id: pathId });
const done = { 204: z.null() };

/** The pages of operators. To everybody else none of these addresses exists. */
export const operationRoutes =
  (repeatable: Repeatable): FeatureRoutes =>
  (app, services) => {
    registerRegistrations(app, services);
    registerOrganizations(app, services);
    registerQueueRoutes(app, services, repeatable);
  };

function registerRegistrations(app: App, services: Services): void {
  app.get(
    '/operator/registrations',
    {
      config,
      schema: {
        summary: 'Requests for accounts',
        querystring: registrationsQuery,
        response: { 200: page(registration) },
      },
    },
    async (request) => listRegistrationsToDecide(services, request.query),
  );
  app.post(
    '/operator/registrations/:id/approve',
    {
      config,
      schema: { summary: 'Approve a request for an account', params, response: { 200: registrationDecision } },
    },
    async (request) => decideRegistration(services, requirePrincipal(request), request.params.id, { approve: true }),
  );
  app.post(
    '/operator/registrations/:id/reject',
    {
      config,
      schema: {
        summary: 'Reject a request for an account',
        params,
        body: rejectRegistrationBody,
        response: { 200: registrationDecision },
      },
    },
    async (request) =>
      decideRegistration(services, requirePrincipal(request), request.params.id, {
        approve: false,
        reason: request.body.reason,
      }),
  );
}

function registerOrganizations(app: App, services: Services): void {
  app.get(
    '/operator/organizations',
    {
      config,
      schema: {
        summary: 'All organizations with what they use',
        querystring: pageQuery,
        response: { 200: page(operatedOrganization) },
      },
    },
    async (request) => listOperatedOrganizations(services, request.query),
  );
  app.put(
    '/operator/organizations/:id/quotas',
    {
      config,
      schema: {
        summary: 'Change what an organization may use',
        params,
        body: quotasBody,
        response: { 200: operatedOrganization },
      },
    },
    async (request) => changeQuotas(services, requirePrincipal(request), request.params.id, request.body),
  );
}

function registerQueueRoutes(app: App, services: Services, repeatable: Repeatable): void {
  app.get(
    '/operator/queue',
    { config, schema: { summary: 'Jobs that wait and run, by lane', response: { 200: queueDepths } } },
    async () => ({ data: await listQueueDepths(services.db) }),
  );
  app.get(
    '/operator/workers',
    { config, schema: { summary: 'Workers, and what they offer their jobs', response: { 200: operatedWorkers } } },
    async () => ({ data: await listWorkers(services.db) }),
  );
  app.get(
    '/operator/failed_runs',
    {
      config,
      schema: {
        summary: 'Runs that failed for reasons of the installation',
        querystring: pageQuery,
        response: { 200: page(failedRun) },
      },
    },
    async (request) => listRunsToRepeat(services, request.query),
  );
  app.post(
    '/operator/failed_runs/:id/retry',
    { config, schema: { summary: 'Repeat a failed run', params, response: done } },
    async (request, reply) => {
      await repeatFailedRun(services, requirePrincipal(request), repeatable, request.params.id);
      return reply.status(204).send(null);
    },
  );
  app.get(
    '/operator/mails',
    {
      config,
      schema: {
        summary: 'Mails and what became of them',
        querystring: mailsQuery,
        response: { 200: page(operatedMail) },
      },
    },
    async (request) => listOperatedMails(services, request.query),
  );
  app.post(
    '/operator/mails/:id/retry',
    { config, schema: { summary: 'Send a failed mail again', params, response: done } },
    async (request, reply) => {
      await repeatFailedMail(services, requirePrincipal(request), repeatable, request.params.id);
      return reply.status(204).send(null);
    },
  );
}
