import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import type { GwasRow } from '@heterosis/contracts/work/gwas';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateByTrait } from '../runs/index.ts';
import type { ChromosomeRange, Region } from './view-in-address.ts';

export const gwasRuns = runsOf('gwas', gwasApi, stateByTrait);

/**
 * Up to as many markers the plot of the whole genome has them all; beyond, a region shows what the overview leaves out.
 */
export const PLOT_SHOWS_ALL_UP_TO = 50_000;

/** A little more than what is shown, so that points at the edges are there. */
const EDGE_SHARE = 0.02;

/**
 * Float32 triples: index of the chromosome, position in bp, −log10 p. Of the whole genome, or of a region marker by
 * marker.
 */
export const gwasPlotQuery = (projectId: string, gwasId: string, trait: string, region?: Region) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'plot', gwasId, trait, region ?? 'genome'],
    queryFn: async ({ signal }) => {
      const edge = region ? Math.ceil((region.end - region.start) * EDGE_SHARE) : 0;
      const query = region
        ? { trait, chr: region.chr, start: Math.max(0, region.start - edge), end: region.end + edge }
        : { trait };
      return new Float32Array(
        await (
          await call(gwasApi.getPlotPoints, { project_id: projectId, id: gwasId, query }, { signal })
        ).arrayBuffer(),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A million markers are megabytes: regions looked at before need not stay.
    gcTime: region ? 60_000 : 300_000,
  });

/** A part of one chromosome with r² to its lead marker, genes and recombination rate. */
export const gwasRegionQuery = (
  projectId: string,
  gwasId: string,
  trait: string,
  { chr, start, end }: Region,
  lead: string | undefined,
) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'region', gwasId, trait, chr, start, end, lead],
    queryFn: ({ signal }) =>
      call(
        gwasApi.getRegion,
        { project_id: projectId, id: gwasId, query: { trait, chr, start, end, lead } },
        { signal },
      ),
    // A gene annotation may be uploaded meanwhile.
    staleTime: 60_000,
  });

export const gwasQqQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'qq', gwasId, trait],
    queryFn: ({ signal }) => call(gwasApi.getQq, { project_id: projectId, id: gwasId, query: { trait } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gwasResultsQuery = (
  projectId: string,
  gwasId: string,
  query: {
    trait: string;
    sort: 'p' | 'position';
    search: string;
    part: Region | ChromosomeRange | undefined;
    /** Only markers with a p-value up to this. */
    maxP: number | undefined;
    /** Only markers of the clump of this one. */
    clump: string | undefined;
  },
) =>
  endlessList({
    queryKey: [...keys.runs('gwas', projectId), 'results', gwasId],
    endpoint: gwasApi.listResults,
    request: {
      project_id: projectId,
      id: gwasId,
      query: {
        trait: query.trait,
        sort: query.sort,
        search: query.search || undefined,
        max_p: query.maxP,
        clump: query.clump,
        ...query.part,
      },
    },
  });

export const gwasMarkerQuery = (projectId: string, gwasId: string, trait: string, marker: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'marker', gwasId, trait, marker],
    queryFn: ({ signal }) =>
      call(gwasApi.getMarker, { project_id: projectId, id: gwasId, marker, query: { trait } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Positions of the plot are 32-bit numbers: beyond 16.7 Mb they are rounded, by at most 64 bp up to 1,000 Mb. */
const ROUNDED_BP = 64;

/** The marker that a point of the plot stands for. */
export async function findMarkerAt(
  client: QueryClient,
  projectId: string,
  gwasId: string,
  trait: string,
  point: { chr: string; positionBp: number; negLog10P: number },
): Promise<GwasRow | undefined> {
  const { chr, positionBp, negLog10P } = point;
  const query = {
    trait,
    chr,
    start: Math.max(0, positionBp - ROUNDED_BP),
    end: positionBp + ROUNDED_BP,
    sort: 'position' as const,
    limit: 500,
  };
  const { data } = await client.fetchQuery({
    queryKey: [...keys.runs('gwas', projectId), 'at', gwasId, query],
    queryFn: ({ signal }) => call(gwasApi.listResults, { project_id: projectId, id: gwasId, query }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data.toSorted((a, b) => Math.abs(a.neg_log10_p - negLog10P) - Math.abs(b.neg_log10_p - negLog10P))[0];
}

/** Every marker of a part of the genome with all its figures, by position. */
export const readMarkers = (
  projectId: string,
  gwasId: string,
  trait: string,
  part: Region | ChromosomeRange,
): Promise<GwasRow[]> =>
  listAll(gwasApi.listResults, { project_id: projectId, id: gwasId, query: { trait, ...part, sort: 'position' } });

/** The markers of these names, strongest first: those that are selected on the page. */
export const namedMarkersQuery = (projectId: string, gwasId: string, trait: string, ids: ReadonlySet<string>) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'named', gwasId, trait, ...ids],
    queryFn: async ({ signal }) => {
      const query = { trait, ids: [...ids].join('\n'), limit: 500 };
      return (await call(gwasApi.listResults, { project_id: projectId, id: gwasId, query }, { signal })).data;
    },
    enabled: ids.size > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The names of the strongest markers of a part of the genome or of a range of p-values, as many as can be selected. */
export async function markersToSelect(
  projectId: string,
  gwasId: string,
  wanted: { trait: string; part?: Region | ChromosomeRange | undefined; min_p?: number; max_p?: number },
): Promise<string[]> {
  const { part, ...rest } = wanted;
  const query = { ...rest, ...part, sort: 'p' as const, limit: 500 };
  const { data } = await call(gwasApi.listResults, { project_id: projectId, id: gwasId, query });
  return data.map(({ id }) => id);
}

/** Hits in LD with each other, of a run that put them together. */
export const gwasClumpsQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'clumps', gwasId, trait],
    queryFn: ({ signal }) =>
      call(gwasApi.getClumps, { project_id: projectId, id: gwasId, query: { trait } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const OFFERED = 20;

/** The strongest markers whose name contains a text. */
export const markerNamesQuery = (projectId: string, gwasId: string, trait: string, search: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'names', gwasId, trait, search],
    queryFn: async ({ signal }) => {
      const query = { trait, search: search || undefined, sort: 'p' as const, limit: OFFERED };
      return (await call(gwasApi.listResults, { project_id: projectId, id: gwasId, query }, { signal })).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The strongest markers of the genome or of a part of it: those that the figure's table shows. */
export const readStrongest = async (
  projectId: string,
  gwasId: string,
  trait: string,
  part: Region | ChromosomeRange | undefined,
  limit: number,
): Promise<GwasRow[]> => {
  const query = { trait, ...part, sort: 'p' as const, limit };
  return (await call(gwasApi.listResults, { project_id: projectId, id: gwasId, query })).data;
};
