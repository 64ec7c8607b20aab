import { page } from '@heterosis/contracts/common';
import {
  createGwasBody,
  gwasClumps,
  gwasDetail,
  gwas as gwasItem,
  gwasMarker,
  gwasPlotQuery,
  gwasQq,
  gwasRegion,
  gwasRegionQuery,
  gwasResultsQuery,
  gwasRow,
} from '@heterosis/contracts/gwas';
import { listRunsQuery, traitQuery } from '@heterosis/contracts/runs';
import * as z from 'zod';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { gwas } from './gwas.kind.ts';
import { createGwas } from './gwas.service.ts';
import { getRegion } from './gwas-region.service.ts';
import { getClumps, getMarker, getPlotPoints, getQq, listResults } from './gwas-results.service.ts';

export const gwasRoutes: FeatureRoutes = (app, services) => {
  registerRunKindRoutes(app, services, gwas, {
    item: gwasItem,
    detail: gwasDetail,
    list: { summary: 'List GWAS, newest first', query: listRunsQuery },
    create: { summary: 'Run a GWAS', body: createGwasBody, create: createGwas },
  });
  app.get(
    '/projects/:project_id/gwas/:id/results',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Results of a trait, page by page',
        params: withId,
        querystring: gwasResultsQuery,
        response: { 200: page(gwasRow) },
      },
    },
    async (request) => listResults(services, requireProjectAccess(request), request.params.id, request.query),
  );
  app.get(
    '/projects/:project_id/gwas/:id/plot',
    {
      config: { ...forProjectMembers, media: ['application/octet-stream'] },
      schema: {
        summary: 'Points of the Manhattan plot',
        description:
          'Little-endian Float32 triples: index of the chromosome in `chromosomes` of the GWAS, position in bp, −log10 p. Above 50,000 markers those that cover each other are thinned; every marker with p below 0.001 is kept.',
        params: withId,
        querystring: gwasPlotQuery,
      },
    },
    async (request, reply) => {
      const bytes = await getPlotPoints(services, requireProjectAccess(request), request.params.id, request.query);
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
  app.get(
    '/projects/:project_id/gwas/:id/region',
    {
      config: forProjectMembers,
      schema: {
        summary: 'A part of a chromosome: r² with its lead marker, genes, recombination rate',
        params: withId,
        querystring: gwasRegionQuery,
        response: { 200: gwasRegion },
      },
    },
    async (request) => getRegion(services, requireProjectAccess(request), request.params.id, request.query),
  );
  app.get(
    '/projects/:project_id/gwas/:id/qq',
    {
      config: forProjectMembers,
      schema: { summary: 'Points of the QQ plot', params: withId, querystring: traitQuery, response: { 200: gwasQq } },
    },
    async (request) => getQq(services, requireProjectAccess(request), request.params.id, request.query.trait),
  );
  app.get(
    '/projects/:project_id/gwas/:id/clumps',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Hits in LD with each other, put together under the strongest',
        params: withId,
        querystring: traitQuery,
        response: { 200: gwasClumps },
      },
    },
    async (request) => getClumps(services, requireProjectAccess(request), request.params.id, request.query.trait),
  );
  app.get(
    '/projects/:project_id/gwas/:id/markers/:marker',
    {
      config: forProjectMembers,
      schema: {
        summary: 'One marker: phenotypes by genotype, LD with its neighbours',
        params: withId.extend({ marker: z.string().min(1).max(255) }),
        querystring: traitQuery,
        response: { 200: gwasMarker },
      },
    },
    async (request) => {
      const { id, marker } = request.params;
      return getMarker(services, requireProjectAccess(request), id, request.query.trait, marker);
    },
  );
};
