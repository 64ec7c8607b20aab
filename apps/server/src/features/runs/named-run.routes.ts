import { pathId } from '@heterosis/contracts/common';
import { updateRunBody } from '@heterosis/contracts/runs';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { App, Services } from '../../platform/http/app.ts';
import { COSTLY } from '../../platform/http/costly.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';
import { sendBundle } from './bundle.ts';
import type { NamedRunRow, NamedRuns } from './named-run.ts';
import {
  bundleNamedRun,
  cancelNamedRun,
  deleteNamedRun,
  type RunRequest,
  readNamedRun,
  retryNamedRun,
  updateNamedRun,
} from './named-runs.service.ts';

/** Parameters of the addresses of one feature's runs: the list and one of them. */
export const inProject = z.object({ project_id: pathId });
export const withId = inProject.extend({ id: pathId });

export interface NamedRunRoutesOptions<Detail> {
  /** Schema of one run. */
  detail: z.ZodType<Detail>;
  /** The run goes into the bin: ends what rests on it and returns the jobs of that. */
  endUsers?: (trx: DatabaseTransaction, projectId: string, id: string) => Promise<JobReference[]>;
}

/** What every kind of named run has below `/projects/{p}/{table}/{id}`: reading, changes of the row, its bundle. */
export function registerNamedRunRoutes<Row extends NamedRunRow, Item, Detail>(
  app: App,
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  { detail, endUsers }: NamedRunRoutesOptions<Detail>,
): void {
  const { noun } = runs;
  // Fastify's types do not work out what a reply may be when its schema is a type parameter.
  const response: { 200: z.ZodType } = { 200: detail };
  const address = `/projects/:project_id/${runs.table}/:id`;
  const config = { guard: { project: 'MEMBER' } } as const;

  app.get(address, { config, schema: { summary: `One ${noun}`, params: withId, response } }, async (request) =>
    readNamedRun(services, runs, requireProjectAccess(request).projectId, request.params.id),
  );
  app.put(
    address,
    {
      config,
      schema: {
        summary: `Rename or describe a ${noun}`,
        params: withId,
        body: updateRunBody,
        response,
      },
    },
    async (request) => updateNamedRun(services, runs, toRunRequest(request), request.body),
  );
  app.delete(
    address,
    { config, schema: { summary: `Delete a ${noun}`, params: withId, response: { 204: z.null() } } },
    async (request, reply) => {
      const asked = toRunRequest(request);
      await deleteNamedRun(services, runs, { ...asked, requestId: request.id }, async (trx) =>
        endUsers === undefined ? [] : endUsers(trx, asked.access.projectId, asked.id),
      );
      return reply.status(204).send(null);
    },
  );
  app.get(
    `${address}/bundle`,
    {
      config: { ...config, ...COSTLY, media: ['application/zip'] },
      // A HEAD would read all results and throw them away.
      exposeHeadRoute: false,
      schema: {
        summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
        params: withId,
      },
    },
    async (request, reply) => {
      const { projectId } = requireProjectAccess(request);
      return sendBundle(reply, services.storage, await bundleNamedRun(services, runs, projectId, request.params.id));
    },
  );
  app.post(
    `${address}/cancel`,
    { config, schema: { summary: 'Stop what is running', params: withId, response } },
    async (request) => cancelNamedRun(services, runs, toRunRequest(request)),
  );
  app.post(
    `${address}/retry`,
    { config, schema: { summary: 'Run again what failed', params: withId, response } },
    async (request) => retryNamedRun(services, runs, toRunRequest(request)),
  );
}

const toRunRequest = (request: FastifyRequest & { params: { id: string } }): RunRequest => ({
  access: requireProjectAccess(request),
  principal: requirePrincipal(request),
  id: request.params.id,
});
