import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { isWorthRetrying } from './problem.ts';

const RETRIES = 2;

/**
 * An invalidation asks again for what a page shows, but joins a request whose query has no data yet, and leaves alone
 * one that no page shows. Such a request may have been answered before the change, and its answer counts as fresh. Here
 * its query is invalidated once more when the answer has come.
 */
export class CurrentQueryClient extends QueryClient {
  readonly #askedAgain = new WeakSet<Promise<unknown>>();

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const underWay = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    for (const query of underWay) if (query.state.data === undefined || !query.isActive()) this.#askAgain(query);
    return super.invalidateQueries(filters, options);
  }

  #askAgain({ promise, queryKey }: Query): void {
    if (!promise || this.#askedAgain.has(promise)) return;
    this.#askedAgain.add(promise);
    const again = (): void => void super.invalidateQueries({ queryKey, exact: true });
    promise.then(again, again);
  }
}

export const queryClient: QueryClient = new CurrentQueryClient({
  defaultOptions: {
    queries: {
      // Events invalidate what has changed; this only spares a second request while one clicks around.
      staleTime: 15_000,
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      retryDelay: (failures) => Math.min(350 * 2 ** failures, 5_000),
    },
    mutations: { retry: false },
  },
});
