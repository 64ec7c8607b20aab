import * as z from 'zod';
import { page } from '../../common.ts';
import { type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';
import { createFineMapBody, fineMap, fineMaps, fineMapsQuery } from '../../work/fine-maps.ts';
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
} from '../../work/gwas.ts';
import { listRunsQuery, traitQuery } from '../../work/runs.ts';
import { runEndpoints } from './run-endpoints.ts';

export const gwasApi = {
  ...runEndpoints('gwas', {
    item: gwasItem,
    detail: gwasDetail,
    list: { summary: 'List GWAS, newest first', query: listRunsQuery },
    create: { summary: 'Run a GWAS', body: createGwasBody },
  }),
  listResults: get('/projects/:project_id/gwas/:id/results', PROJECT_MEMBER, {
    summary: 'Results of a trait, page by page',
    query: gwasResultsQuery,
    answer: page(gwasRow),
    table: true,
  }),
  getPlotPoints: get('/projects/:project_id/gwas/:id/plot', PROJECT_MEMBER, {
    summary: 'Points of the Manhattan plot',
    description:
      'Little-endian Float32 triples: index of the chromosome in `chromosomes` of the GWAS, position in bp, −log10 p. Above 50,000 markers those that cover each other are thinned; every marker with p below 0.001 is kept.',
    query: gwasPlotQuery,
    media: ['application/octet-stream'],
  }),
  getRegion: get('/projects/:project_id/gwas/:id/region', PROJECT_MEMBER, {
    summary: 'A part of a chromosome: r² with its lead marker, genes, recombination rate',
    query: gwasRegionQuery,
    answer: gwasRegion,
  }),
  getQq: get('/projects/:project_id/gwas/:id/qq', PROJECT_MEMBER, {
    summary: 'Points of the QQ plot',
    query: traitQuery,
    answer: gwasQq,
  }),
  getClumps: get('/projects/:project_id/gwas/:id/clumps', PROJECT_MEMBER, {
    summary: 'Hits in LD with each other, put together under the strongest',
    query: traitQuery,
    answer: gwasClumps,
  }),
  listFineMaps: get('/projects/:project_id/gwas/:id/fine_maps', PROJECT_MEMBER, {
    summary: 'Fine mappings of regions, newest first',
    query: fineMapsQuery,
    answer: fineMaps,
  }),
  createFineMap: post('/projects/:project_id/gwas/:id/fine_maps', PROJECT_MEMBER, {
    summary: 'Fine-map a region: which of its markers have effects',
    description:
      'Sum of single effects (SuSiE) on the markers of a region beside the relationships of the markers of the other chromosomes, with the covariates, components, limits and exclusions of the GWAS. At most 2,000 markers; the newest 20 fine mappings of a GWAS are kept.',
    body: createFineMapBody,
    answer: fineMap,
    status: 202,
  }),
  readFineMap: get('/projects/:project_id/gwas/:id/fine_maps/:fine_map_id', PROJECT_MEMBER, {
    summary: 'A fine mapping: credible sets, and the probability of each marker',
    answer: fineMap,
  }),
  getMarker: get('/projects/:project_id/gwas/:id/markers/:marker', PROJECT_MEMBER, {
    summary: 'One marker: phenotypes by genotype, LD with its neighbours',
    params: { marker: z.string().min(1).max(255) },
    query: traitQuery,
    answer: gwasMarker,
  }),
} as const satisfies Endpoints;
