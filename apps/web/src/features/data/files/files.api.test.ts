import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowser, installServer, json, listPage, type SentRequest } from '../../../testing/browser.ts';
import type * as FilesApi from './files.api.ts';

let api: typeof FilesApi;
let client: QueryClient;

beforeEach(async () => {
  installBrowser();
  vi.resetModules();
  // As in production, where answers are trusted: here they hold what the code looks at.
  vi.stubEnv('DEV', false);
  api = await import('./files.api.ts');
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  client.clear();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const cursorOf = ({ url }: SentRequest): string | null => new URL(url, 'http://x').searchParams.get('cursor');

describe('the files of a folder', () => {
  it.each([
    ['one folder', { folderId: 'f' }, 'folder_id=f&limit=500'],
    ['the root', { folderId: null }, 'root=true&limit=500'],
    [
      'the whole project, of two types',
      { types: ['GENOTYPE', 'PHENOTYPE'] },
      'file_type=GENOTYPE&file_type=PHENOTYPE&limit=500',
    ],
  ] as const)('are asked for as those of %s', async (_, options, query) => {
    const requests = installServer(() => listPage([]));
    await client.fetchQuery(api.filesQuery('p', options));
    expect(requests[0]?.url).toBe(`/api/projects/p/files?${query}`);
  });

  const pollOf = async (options: ReturnType<typeof api.filesQuery>): Promise<unknown> => {
    await client.fetchQuery(options);
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    return typeof options.refetchInterval === 'function' ? options.refetchInterval(query as never) : undefined;
  };

  it('are asked for again while one of them is checked', async () => {
    installServer(() => listPage([{ status: 'READY' }, { status: 'CHECKING' }]));
    expect(await pollOf(api.filesQuery('p'))).toBeGreaterThan(0);
  });

  it('are left alone once all have been checked, well or not', async () => {
    installServer(() => listPage([{ status: 'READY' }, { status: 'INVALID' }, { status: 'READY_WITH_WARNINGS' }]));
    expect(await pollOf(api.filesQuery('p'))).toBe(false);
  });
});

describe('one file', () => {
  const pollOf = async (file: object): Promise<unknown> => {
    installServer(() => json(file));
    const options = api.fileQuery('p', 'f');
    await client.fetchQuery({ ...options, staleTime: 0 });
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    return typeof options.refetchInterval === 'function' ? options.refetchInterval(query as never) : undefined;
  };

  it('is asked for again while it is checked or phased, and not afterwards', async () => {
    expect(await pollOf({ status: 'UPLOADED', derivations: [] })).toBeGreaterThan(0);
    expect(await pollOf({ status: 'READY', derivations: [{ step: 'phase', status: 'PROCESSING' }] })).toBeGreaterThan(
      0,
    );
    expect(await pollOf({ status: 'READY', derivations: [{ step: 'phase', status: 'SUCCESS' }] })).toBe(false);
    expect(await pollOf({ status: 'READY', derivations: [] })).toBe(false);
  });
});

describe('the problems of a file', () => {
  const problems = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ line: from + index }));

  it('are read whole, though they come in two parts', async () => {
    const requests = installServer((request) =>
      cursorOf(request) === null
        ? json({ data: problems(0, 500), next_cursor: 'more', by_code: { 'E-PH-DUP': 700 } })
        : json({ data: problems(500, 200), next_cursor: null, by_code: {} }),
    );
    const report = await client.fetchQuery(api.fileProblemsQuery('p', { id: 'f', updated_at: '2026-01-01' }));
    expect(report.data).toEqual(problems(0, 700));
    // The counts are those of the whole report, which the first part tells.
    expect(report.by_code).toEqual({ 'E-PH-DUP': 700 });
    expect(requests.map(cursorOf)).toEqual([null, 'more']);
  });

  it('take one request where one is enough', async () => {
    const requests = installServer(() => json({ data: problems(0, 3), next_cursor: null, by_code: {} }));
    await client.fetchQuery(api.fileProblemsQuery('p', { id: 'f', updated_at: '2026-01-01' }));
    expect(requests).toHaveLength(1);
  });
});

describe('every row of a phenotype table', () => {
  it('is read for the clipboard, in the order and with the search of the page', async () => {
    const requests = installServer((request) => {
      const page = Number(cursorOf(request) ?? 0);
      return listPage([{ individual: `L${page}` }], page < 2 ? String(page + 1) : null);
    });
    const { readAllPages } = await import('../../../lib/api/pages.ts');
    const list = api.phenotypeRowsQuery('p', 'f', { sort: '-yield', search: 'L' });
    const rows = await readAllPages<{ individual: string }>(client, list);
    expect(rows.map(({ individual }) => individual)).toEqual(['L0', 'L1', 'L2']);
    for (const { url } of requests) expect(url).toContain('sort=-yield&search=L&');
  });
});
