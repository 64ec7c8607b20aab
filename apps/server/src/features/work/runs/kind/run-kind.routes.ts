import { page, pathId } from '@heterosis/contracts/common';
import { RUN_KINDS } from '@heterosis/contracts/run-kinds';
import { updateRunBody } from '@heterosis/contracts/runs';
import type { FastifyRequest } from 'fastify';
import type { RawBuilder } from 'kysely';
import * as z from 'zod';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import {
  type Principal,
  type ProjectAccess,
  requirePrincipal,
  requireProjectAccess,
} from '../../../../platform/http/access.ts';
import type { App, Services } from '../../../../platform/http/app.ts';
import { COSTLY } from '../../../../platform/http/costly.ts';
import { forProjectMembers, inProject } from '../../../../platform/http/project-routes.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import { sendBundle } from '../results/bundle.ts';
import {
  bundleNamedRun,
  cancelNamedRun,
  deleteNamedRun,
  pageOfRuns,
  type RunRequest,
  readNamedRun,
  repeatNamedRun,
  updateNamedRun,
} from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

/** Path parameters of one feature's runs: for the list and for a single run. */
export const withId = inProject.extend({ id: pathId });

export interface RunKindRoutesOptions<Item, Detail, Query, Body> {
  /** Schemas of a run in a list, and of one run. */
  item: z.ZodType<Item>;
  detail: z.ZodType<Detail>;
  list: {
    /** Plural of the kind's name. */
    summary: string;
    /** `name` and `{role}_id` of each input are filters; `conditions` turns the remaining parameters into filters. */
    query: z.ZodType<Query>;
    conditions?: (query: Query) => RawBuilder<boolean>[];
  };
  create: {
    summary: string;
    body: z.ZodType<Body>;
    create: (services: Services, access: ProjectAccess, principal: Principal, body: Body) => Promise<Detail>;
  };
  /** Called when a run is deleted: ends the runs that use it and returns their jobs. */
  endUsers?: (trx: DatabaseTransaction, projectId: string, id: string) => Promise<JobReference[]>;
}

/** The routes common to all kinds of run: list and create, and those of a single run. */
export function registerRunKindRoutes<
  Row extends NamedRunRow,
  Item,
  Detail,
  Query extends { limit: number; cursor?: string | undefined },
  Body,
>(
  app: App,
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  { item, detail, list, create, endUsers }: RunKindRoutesOptions<Item, Detail, Query, Body>,
): void {
  const address = `/projects/:project_id/${RUN_KINDS[definition.kind].path}`;
  // Fastify cannot infer reply and request types when the schema is a type parameter.
  const responses: { list: { 200: z.ZodType }; created: { 201: z.ZodType } } = {
    list: { 200: page(item) },
    created: { 201: detail },
  };
  const querystring: z.ZodType = list.query;
  const body: z.ZodType = create.body;
  app.get(
    address,
    {
      config: forProjectMembers,
      schema: { summary: list.summary, params: inProject, querystring, response: responses.list },
    },
    async (request) => {
      const query = request.query as Query;
      return pageOfRuns(services, definition, requireProjectAccess(request).projectId, {
        filter: { ...query },
        conditions: list.conditions?.(query) ?? [],
        limit: query.limit,
        cursor: query.cursor,
      });
    },
  );
  app.post(
    address,
    {
      config: forProjectMembers,
      schema: { summary: create.summary, params: inProject, body, response: responses.created },
    },
    async (request, reply) => {
      const made = await create.create(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.body as Body,
      );
      return reply.status(201).send(made);
    },
  );
  registerRoutesOfOne(app, services, definition, { address: `${address}/:id`, detail, endUsers });
}

/** Reading a run, changing its row, and its bundle. */
function registerRoutesOfOne<Row extends NamedRunRow, Item, Detail>(
  app: App,
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  {
    address,
    detail,
    endUsers,
  }: {
    address: string;
    detail: z.ZodType<Detail>;
    endUsers: RunKindRoutesOptions<Item, Detail, unknown, unknown>['endUsers'];
  },
): void {
  const { noun } = RUN_KINDS[definition.kind];
  const response: { 200: z.ZodType } = { 200: detail };

  app.get(
    address,
    { config: forProjectMembers, schema: { summary: `One ${noun}`, params: withId, response } },
    async (request) => readNamedRun(services, definition, requireProjectAccess(request).projectId, request.params.id),
  );
  app.put(
    address,
    {
      config: forProjectMembers,
      schema: { summary: `Rename or describe a ${noun}`, params: withId, body: updateRunBody, response },
    },
    async (request) => updateNamedRun(services, definition, toRunRequest(request), request.body),
  );
  app.delete(
    address,
    { config: forProjectMembers, schema: { summary: `Delete a ${noun}`, params: withId, response: { 204: z.null() } } },
    async (request, reply) => {
      const asked = toRunRequest(request);
      await deleteNamedRun(services, definition, { ...asked, requestId: request.id }, async (trx) =>
        endUsers === undefined ? [] : endUsers(trx, asked.access.projectId, asked.id),
      );
      return reply.status(204).send(null);
    },
  );
  app.get(
    `${address}/bundle`,
    {
      config: { ...forProjectMembers, ...COSTLY, media: ['application/zip'] },
      // A HEAD request would read all results only to discard them.
      exposeHeadRoute: false,
      schema: {
        summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
        params: withId,
      },
    },
    async (request, reply) => {
      const { projectId } = requireProjectAccess(request);
      return sendBundle(
        reply,
        services.storage,
        await bundleNamedRun(services, definition, projectId, request.params.id),
      );
    },
  );
  app.post(
    `${address}/cancel`,
    { config: forProjectMembers, schema: { summary: 'Stop what is running', params: withId, response } },
    async (request) => cancelNamedRun(services, definition, toRunRequest(request)),
  );
  app.post(
    `${address}/retry`,
    { config: forProjectMembers, schema: { summary: 'Run again what failed', params: withId, response } },
    async (request) => repeatNamedRun(services, definition, toRunRequest(request)),
  );
}

const toRunRequest = (request: FastifyRequest & { params: { id: string } }): RunRequest => ({
  access: requireProjectAccess(request),
  principal: requirePrincipal(request),
  id: request.params.id,
});
