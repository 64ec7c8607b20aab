import type { PageRequest } from './asked.ts';

export type Json = Record<string, unknown>;

interface Pagination {
  currentPage: number;
  pageSize: number;
  totalCount: number;
  totalPages: number;
  currentPageToken?: string;
  nextPageToken?: string | null;
  prevPageToken?: string | null;
}

export interface Metadata {
  pagination: Pagination;
  status: { message: string; messageType: 'WARNING' | 'INFO' }[];
  datafiles: [];
}

export interface Envelope {
  '@context': null;
  metadata: Metadata;
  result: unknown;
}

/** The frame of every answer. One object has no pages: BrAPI-js walks the pages of whatever has a page size. */
export function envelope(result: unknown, warnings: readonly string[] = [], pagination = ONE): Envelope {
  return { '@context': null, metadata: metadataOf(pagination, warnings), result };
}

const ONE: Pagination = { currentPage: 0, pageSize: 0, totalCount: 1, totalPages: 1 };

export const metadataOf = (pagination: Pagination, warnings: readonly string[]): Metadata => ({
  pagination,
  status: warnings.map((message) => ({ message, messageType: 'WARNING' })),
  datafiles: [],
});

/** Pages by number; calls of the genotyping module also have tokens, which are page numbers. */
export function paginationOf({ page, size }: PageRequest, totalCount: number, withTokens = false): Pagination {
  const totalPages = Math.ceil(totalCount / size);
  return {
    currentPage: page,
    pageSize: size,
    totalCount,
    totalPages,
    ...(withTokens
      ? {
          currentPageToken: String(page),
          nextPageToken: page + 1 < totalPages ? String(page + 1) : null,
          prevPageToken: page > 0 ? String(page - 1) : null,
        }
      : {}),
  };
}

/** The warnings for what a call does not have. */
export const ignored = (names: readonly string[]): string[] =>
  names.map((name) => `"${name}" is not known here and was ignored.`);
