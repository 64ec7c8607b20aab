import type { Page } from '@heterosis/contracts/common';
import type { RequestTo } from '@heterosis/contracts/endpoint';
import { type ItemOf, type ListEndpoint, rowsOf } from '@heterosis/contracts/endpoint-request';
import { infiniteQueryOptions, type QueryClient, type QueryFunction, type QueryKey } from '@tanstack/react-query';
import { call } from './api-client.ts';
import { Problem } from './problem.ts';

const LARGEST_PAGE = 500;

/** Query options of a list that is read page by page as one scrolls. */
export function endlessList<List extends ListEndpoint>(options: {
  queryKey: QueryKey;
  endpoint: List;
  request: RequestTo<List>;
  pageSize?: number;
}) {
  const { queryKey, endpoint, request, pageSize = 100 } = options;
  const { query = {} } = request as { query?: object };
  return infiniteQueryOptions({
    queryKey: [...queryKey, query, 'pages'],
    queryFn: ({ pageParam, signal }): Promise<Page<ItemOf<List>>> => {
      // Who goes on beyond the first page wants more at once.
      const place = { limit: pageParam === undefined ? pageSize : LARGEST_PAGE, cursor: pageParam };
      return call(endpoint, { ...request, query: { ...query, ...place } }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

/** All pages of a list that is short by nature: organizations, crops, projects, files to choose from. */
export async function listAll<List extends ListEndpoint>(
  endpoint: List,
  request: RequestTo<List>,
  signal?: AbortSignal,
): Promise<ItemOf<List>[]> {
  const items: ItemOf<List>[] = [];
  for await (const item of rowsOf((row, sent) => call(row, sent, { signal }), endpoint, request)) items.push(item);
  return items;
}

/** More pages than this are megabytes that a clipboard does not take; the whole table is there as a file. */
const MOST_PAGES = 200;

/** What `infiniteQueryOptions` holds; which pages it reads does not matter here. */
interface PagedList {
  queryKey: QueryKey;
  queryFn?: unknown;
  getNextPageParam: unknown;
  initialPageParam: string | undefined;
}

/** Every row of a list that is read page by page, in its order. Throws a `Problem` where they are too many. */
export const readAllPages = async <Row>(client: QueryClient, list: PagedList): Promise<Row[]> =>
  (await readEveryPage<Page<Row>>(client, list)).flatMap((one) => one.data);

/** The pages of such a list, with what each says beside its rows. */
export async function readEveryPage<Found extends Page<unknown>>(
  client: QueryClient,
  list: PagedList,
): Promise<Found[]> {
  const { pages } = await client.fetchInfiniteQuery({
    queryKey: [...list.queryKey, 'all'],
    queryFn: list.queryFn as QueryFunction<Found, QueryKey, string | undefined>,
    getNextPageParam: list.getNextPageParam as (last: Found) => string | undefined,
    initialPageParam: list.initialPageParam,
    pages: MOST_PAGES,
    gcTime: 0,
  });
  if (pages.at(-1)?.next_cursor != null)
    throw new Problem({
      code: 'client/too-many-rows',
      title: 'Too many rows',
      detail: 'These are more rows than can be copied at once. Narrow the search, or download the whole table as CSV.',
    });
  return pages;
}
