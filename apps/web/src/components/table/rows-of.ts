import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { DataTableProps } from './data-table-model.ts';

type OfQuery<Row> = Required<Pick<DataTableProps<Row>, 'rows' | 'isLoading' | 'error' | 'onRetry'>>;

/** For a `DataTable`: the rows of a query, as far as they have come. */
export const rowsOf = <Row>(
  query: Pick<UseQueryResult<Row[]>, 'data' | 'isPending' | 'error' | 'refetch'>,
): OfQuery<Row> => ({
  rows: query.data,
  isLoading: query.isPending,
  error: query.error,
  onRetry: () => void query.refetch(),
});

/** The same of a list that is read page by page as one scrolls. */
export const endlessRowsOf = <Row>(
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }, unknown>>,
): OfQuery<Row> & Required<Pick<DataTableProps<Row>, 'more'>> => ({
  rows: query.data?.pages.flatMap((page) => page.data),
  isLoading: query.isPending,
  error: query.error,
  onRetry: () => void query.refetch(),
  more: {
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    load: () => void query.fetchNextPage(),
  },
});
