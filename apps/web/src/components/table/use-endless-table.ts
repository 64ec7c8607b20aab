import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { readAllPages } from '../../lib/api/pages.ts';
import { type DataTableProps, formatSort, type Sort } from './data-table-model.ts';

/** One page of a list that the server searches and sorts. */
interface PageOf<Row> {
  data: Row[];
}

/** Query options of `endlessList`, or others read by cursor. */
type EndlessQuery<Page, Key extends QueryKey, Cursors> = UseInfiniteQueryOptions<
  Page,
  Error,
  InfiniteData<Page, Cursors>,
  Key,
  string | undefined
>;

/** What is asked of the server: `sortText` is the sort as the API takes it, `-column` for descending. */
export interface TableRequest {
  search: string;
  sort: Sort | undefined;
  sortText: string | undefined;
}

/**
 * A table whose rows come page by page as one scrolls, searched and sorted by the server.
 * `table` goes to the `DataTable`; `first` is the first page, with what it says of the whole.
 */
export function useEndlessTable<Page extends PageOf<unknown>, Key extends QueryKey, Cursors>(options: {
  query: (request: TableRequest) => EndlessQuery<Page, Key, Cursors>;
  defaultSort?: Sort;
  /** For a server that sorts in one direction only. */
  fixedDirection?: 'ascending';
}) {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort | undefined>(options.defaultSort);
  const client = useQueryClient();
  const request = options.query({ search, sort, sortText: formatSort(sort) });
  const query = useInfiniteQuery(request);
  const pages = query.data?.pages;
  const table: Pick<
    DataTableProps<Page['data'][number]>,
    'rows' | 'isLoading' | 'error' | 'onRetry' | 'more' | 'readAll'
  > &
    Required<Pick<DataTableProps<Page['data'][number]>, 'remote'>> = {
    rows: pages?.flatMap((page) => page.data),
    isLoading: query.isPending,
    error: query.error,
    onRetry: () => void query.refetch(),
    remote: {
      search,
      onSearch: setSearch,
      sort,
      onSort: (next) => setSort(options.fixedDirection ? { ...next, descending: false } : next),
      defaultSort: options.defaultSort,
    },
    more: {
      hasMore: query.hasNextPage,
      isLoading: query.isFetchingNextPage,
      load: () => void query.fetchNextPage(),
    },
    // A copy has all rows of the search in their order, not only those read so far.
    readAll: () => readAllPages(client, request),
  };
  return { table, first: pages?.[0], search, sortText: formatSort(sort) };
}
