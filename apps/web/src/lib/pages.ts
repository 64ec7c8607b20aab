import { type Page, page } from '@heterosis/contracts/common';
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from './api-client.ts';
import type { Query } from './http.ts';

const LARGEST_PAGE = 500;

/** Query options of a list that is read page by page as one scrolls. */
export function endlessList<Item extends z.ZodType>(options: {
  queryKey: QueryKey;
  path: string;
  item: Item;
  query?: Query;
  pageSize?: number;
}) {
  const { queryKey, path, item, query, pageSize = 100 } = options;
  return infiniteQueryOptions({
    queryKey: [...queryKey, query ?? {}, 'pages'],
    queryFn: ({ pageParam, signal }): Promise<Page<z.output<Item>>> =>
      api.get(page(item), path, { query: { ...query, limit: pageSize, cursor: pageParam }, signal }) as Promise<
        Page<z.output<Item>>
      >,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

/** All pages of a list that is short by nature: organizations, crops, projects, files to choose from. */
export async function listAll<Item extends z.ZodType>(
  item: Item,
  path: string,
  options: { query?: Query; signal?: AbortSignal } = {},
): Promise<z.output<Item>[]> {
  const items: z.output<Item>[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { ...options.query, limit: LARGEST_PAGE, cursor };
    const answer = (await api.get(page(item), path, { query, signal: options.signal })) as Page<z.output<Item>>;
    items.push(...answer.data);
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return items;
}
