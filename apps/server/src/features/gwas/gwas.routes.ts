import { page, pathId } from '@heterosis/contracts/common';
import {
  createGwasBody,
  type GwasQq,
  gwas,
  gwasDetail,
  gwasMarker,
  gwasPlotQuery,
  gwasQq,
  gwasResultsQuery,
  gwasRow,
  listGwasQuery,
  updateGwasBody,
} from '@heterosis/contracts/gwas';
import { traitQuery } from '@heterosis/contracts/models';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { decodeCursor, decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { findLatestRuns, sendBundle } from '../runs/index.ts';
import { listGwas } from './gwas.queries.ts';
import {
  bundleGwas,
  cancelGwas,
  changeGwas,
  createGwas,
  deleteGwas,
  getGwas,
  RESULT_COLUMNS,
  readBytes,
  readGwasDetail,
  readJson,
  readMarker,
  readRegionPoints,
  requireResult,
  resultKeyOf,
  retryGwas,
  type TableRow,
  toGwas,
  toResultRow,
} from './gwas.service.ts';

const inProject = z.object({ project_id: pathId });
const withId = inProject.extend({ id: pathId });
const member = { guard: { project: 'MEMBER' } } as const;

export const gwasRoutes: FeatureRoutes = (app, services) => {
  const { db, tables } = services;

  app.get(
    '/projects/:project_id/gwas',
    {
      config: member,
      schema: { summary: 'List GWAS', params: inProject, querystring: listGwasQuery, response: { 200: page(gwas) } },
    },
    async (request) => {
      const { projectId } = requireProjectAccess(request);
      const { limit, cursor, genotype_id, phenotype_id, name } = request.query;
      const rows = await listGwas(db, projectId, {
        genotypeId: genotype_id,
        phenotypeId: phenotype_id,
        name,
        limit,
        after: decodeIdCursor(cursor),
      });
      const runs = await findLatestRuns(
        db,
        'gwas_id',
        rows.map((row) => row.id),
      );
      const runOf = new Map(runs.map((run) => [run.owner_id, run]));
      const { data, next_cursor } = toPage(rows, limit, (row) => [row.id]);
      return { data: await Promise.all(data.map((row) => toGwas(services, row, runOf.get(row.id)))), next_cursor };
    },
  );
  app.post(
    '/projects/:project_id/gwas',
    {
      config: member,
      schema: { summary: 'Run a GWAS', params: inProject, body: createGwasBody, response: { 201: gwasDetail } },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createGwas(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/gwas/:id',
    { config: member, schema: { summary: 'Read a GWAS', params: withId, response: { 200: gwasDetail } } },
    async (request) => readGwasDetail(services, requireProjectAccess(request).projectId, request.params.id),
  );
  app.put(
    '/projects/:project_id/gwas/:id',
    {
      config: member,
      schema: {
        summary: 'Rename or describe a GWAS',
        params: withId,
        body: updateGwasBody,
        response: { 200: gwasDetail },
      },
    },
    async (request) =>
      changeGwas(services, requireProjectAccess(request), requirePrincipal(request), request.params.id, request.body),
  );
  app.delete(
    '/projects/:project_id/gwas/:id',
    { config: member, schema: { summary: 'Delete a GWAS', params: withId, response: { 204: z.null() } } },
    async (request, reply) => {
      await deleteGwas(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.id,
        request.id,
      );
      return reply.status(204).send(null);
    },
  );
  app.get(
    '/projects/:project_id/gwas/:id/bundle',
    {
      config: member,
      schema: {
        summary: 'All results with inputs, parameters, seed, version and a methods paragraph, as a zip',
        params: withId,
      },
    },
    async (request, reply) => {
      const { projectId } = requireProjectAccess(request);
      return sendBundle(reply, services.storage, await bundleGwas(services, projectId, request.params.id));
    },
  );
  app.post(
    '/projects/:project_id/gwas/:id/cancel',
    { config: member, schema: { summary: 'Cancel a GWAS', params: withId, response: { 200: gwasDetail } } },
    async (request) =>
      cancelGwas(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
  );
  app.post(
    '/projects/:project_id/gwas/:id/retry',
    {
      config: member,
      schema: { summary: 'Run the failed traits of a GWAS again', params: withId, response: { 200: gwasDetail } },
    },
    async (request) => retryGwas(services, requireProjectAccess(request), requirePrincipal(request), request.params.id),
  );

  app.get(
    '/projects/:project_id/gwas/:id/results',
    {
      config: member,
      schema: {
        summary: 'Results of a trait, page by page',
        params: withId,
        querystring: gwasResultsQuery,
        response: { 200: page(gwasRow) },
      },
    },
    async (request) => {
      const row = await getGwas(db, requireProjectAccess(request).projectId, request.params.id);
      const { trait, chr, start, end, max_p, search, sort, limit, cursor } = request.query;
      const result = requireResult(row, trait);
      const values: (string | number)[] = [];
      const place = (value: string | number): string => `$${values.push(value)}`;
      const conditions = [
        ...(chr === undefined ? [] : [`chr = ${place(chr)}`]),
        ...(start === undefined ? [] : [`pos >= ${place(start)}`]),
        ...(end === undefined ? [] : [`pos <= ${place(end)}`]),
        ...(max_p === undefined ? [] : [`p <= ${place(max_p)}`]),
        ...(search === undefined || search === '' ? [] : [`contains(lower(id), ${place(search.toLowerCase())})`]),
      ];
      const after = decodeCursor(cursor, 2);
      // Rows are unique by their place in the panel, which breaks ties.
      if (after) {
        const [key, last] = [place(Number(after[0])), place(Number(after[1]))];
        conditions.push(
          sort === 'p' ? `(-neg_log10_p, place) > (${key}, ${last})` : `place > ${last} and ${key} = ${key}`,
        );
      }
      const rows = await tables.query<TableRow & Record<string, unknown>>(
        resultKeyOf(result, 'table'),
        (table) =>
          `select ${RESULT_COLUMNS} from ${table} ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
           order by ${sort === 'p' ? '-neg_log10_p, place' : 'place'} limit ${limit + 1}`,
        values,
      );
      const { data, next_cursor } = toPage(rows, limit, (one) => [
        sort === 'p' ? -(one.neg_log10_p ?? 0) : 0,
        one.place,
      ]);
      return { data: data.map((one) => toResultRow(one, row, result.summary?.n ?? 0)), next_cursor };
    },
  );
  app.get(
    '/projects/:project_id/gwas/:id/plot',
    {
      config: member,
      schema: { summary: 'Points of the Manhattan plot (Float32 triples)', params: withId, querystring: gwasPlotQuery },
    },
    async (request, reply) => {
      const row = await getGwas(db, requireProjectAccess(request).projectId, request.params.id);
      const { trait, chr, start = 0, end } = request.query;
      const result = requireResult(row, trait);
      const bytes =
        chr === undefined
          ? await readBytes(services, resultKeyOf(result, 'plot'))
          : await readRegionPoints(tables, resultKeyOf(result, 'table'), { chr, start, end });
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
  app.get(
    '/projects/:project_id/gwas/:id/qq',
    {
      config: member,
      schema: { summary: 'Points of the QQ plot', params: withId, querystring: traitQuery, response: { 200: gwasQq } },
    },
    async (request) => {
      const row = await getGwas(db, requireProjectAccess(request).projectId, request.params.id);
      return readJson<GwasQq>(services, resultKeyOf(requireResult(row, request.query.trait), 'qq'));
    },
  );
  app.get(
    '/projects/:project_id/gwas/:id/markers/:marker',
    {
      config: member,
      schema: {
        summary: 'One marker: phenotypes by genotype, LD with its neighbours',
        params: withId.extend({ marker: z.string().min(1).max(255) }),
        querystring: traitQuery,
        response: { 200: gwasMarker },
      },
    },
    async (request) =>
      readMarker(
        services,
        requireProjectAccess(request).projectId,
        request.params.id,
        request.query.trait,
        request.params.marker,
      ),
  );
};
