import { page } from '@heterosis/contracts/common';
import { get } from '@heterosis/contracts/endpoint';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { installBrowser, installServer, listPage, refusal, type SentRequest } from '../../testing/browser.ts';
import type * as Pages from './pages.ts';

const query = z.object({
  root: z.enum(['true', 'false']),
  search: z.string().optional(),
  limit: z.coerce.number(),
  cursor: z.string().optional(),
});
const listThings = get('/things', 'public', {
  summary: 'Things',
  query,
  answer: page(z.object({ id: z.number() })),
});
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => ({ id: from + k }));

/** A list of 1,200 things, in pages of as many as are asked for; the cursor is the number of those already read. */
function answerPages({ url }: SentRequest) {
  const query = new URL(url, 'http://x').searchParams;
  const from = Number(query.get('cursor') ?? 0);
  const to = Math.min(1200, from + Number(query.get('limit')));
  return listPage(numbers(from, to), to < 1200 ? String(to) : null);
}

let pages: typeof Pages;

beforeEach(async () => {
  installBrowser();
  vi.resetModules();
  pages = await import('./pages.ts');
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('listAll', () => {
  it('reads page after page, each once, in order', async () => {
    const requests = installServer(answerPages);
    const items = await pages.listAll(listThings, { query: { root: true } });
    expect(items).toEqual(numbers(0, 1200));
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/things?root=true&limit=500',
      '/api/things?root=true&limit=500&cursor=500',
      '/api/things?root=true&limit=500&cursor=1000',
    ]);
  });

  it('gives nothing rather than a part when a later page fails', async () => {
    installServer((request) =>
      request.url.includes('cursor=500') ? refusal(500, 'server/internal') : answerPages(request),
    );
    await expect(pages.listAll(listThings, { query: {} })).rejects.toMatchObject({ code: 'server/internal' });
  });
});

describe('endlessList', () => {
  const observe = (search: string | undefined) => {
    const request = { query: { search } };
    const options = pages.endlessList({ queryKey: ['things'], endpoint: listThings, request });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    return { client, observer: new InfiniteQueryObserver(client, options), options };
  };

  it('reads one page, and the next when asked for it, until there is none', async () => {
    const requests = installServer((request) =>
      answerPages({ ...request, url: request.url.replace('limit=100', 'limit=500') }),
    );
    const { observer } = observe(undefined);
    const first = await observer.fetchNextPage();
    expect(first.data?.pages.flatMap(({ data }) => data)).toHaveLength(500);
    expect(first.hasNextPage).toBe(true);
    await observer.fetchNextPage();
    const last = await observer.fetchNextPage();
    expect(last.data?.pages.flatMap(({ data }) => data)).toEqual(numbers(0, 1200));
    expect(last.hasNextPage).toBe(false);
    expect(requests).toHaveLength(3);
  });

  it('keeps what was found by one search apart from what was found by another', () => {
    expect(observe('a').options.queryKey).not.toEqual(observe('b').options.queryKey);
    expect(observe('a').options.queryKey).toEqual(observe('a').options.queryKey);
    expect(observe('a').options.queryKey.slice(0, 1)).toEqual(['things']);
  });
});

describe('readAllPages', () => {
  it('reads the rows that no one has scrolled to, in their order', async () => {
    const requests = installServer(answerPages);
    const list = pages.endlessList({ queryKey: ['things'], endpoint: listThings, request: { query: {} } });
    expect(await pages.readAllPages(new QueryClient(), list)).toEqual(numbers(0, 1200));
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/things?limit=100',
      '/api/things?limit=500&cursor=100',
      '/api/things?limit=500&cursor=600',
      '/api/things?limit=500&cursor=1100',
    ]);
  });

  it('refuses what no clipboard takes instead of giving a part', async () => {
    installServer(() => listPage([{ id: 1 }], 'more'));
    const list = pages.endlessList({ queryKey: ['things'], endpoint: listThings, request: { query: {} } });
    await expect(pages.readAllPages(new QueryClient(), list)).rejects.toMatchObject({ code: 'client/too-many-rows' });
  });
});
