import {
  type DefaultedQueryObserverOptions,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
  type QueryObserverOptions,
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
  /** Ids of things of which nothing is asked. */
  readonly #ending = new Set<unknown>();

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const underWay = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    for (const query of underWay) if (query.state.data === undefined || !query.isActive()) this.#askAgain(query);
    return super.invalidateQueries(filters, options);
  }

  /**
   * Ends a thing: deletes it, or merges it into another. From here until no page shows it nothing is asked of what has
   * its id in its key, whatever changes are told meanwhile: it would not be found. When it cannot be ended, what is
   * shown of it is read again.
   */
  async end<Result>(id: string, send: () => Promise<Result>): Promise<Result> {
    const its = { predicate: ({ queryKey }: Query) => queryKey.includes(id) };
    this.#ending.add(id);
    // Told of a change, who polls finds that it may not.
    for (const query of this.getQueryCache().findAll(its)) query.setState({ isInvalidated: true });
    await this.cancelQueries(its);
    try {
      const result = await send();
      this.#forgetWhenLeft(id, its);
      return result;
    } catch (error) {
      this.#ending.delete(id);
      void this.invalidateQueries(its);
      throw error;
    }
  }

  #forgetWhenLeft(id: string, its: { predicate: (query: Query) => boolean }): void {
    const cache = this.getQueryCache();
    const look = (): void => {
      if (cache.findAll(its).some((query) => query.getObserversCount() > 0)) return;
      stop();
      this.#ending.delete(id);
      this.removeQueries(its);
    };
    const stop = cache.subscribe(look);
    look();
  }

  override defaultQueryOptions<Answer, Failure, Data, Kept, Key extends QueryKey, Cursor = never>(
    options:
      | QueryObserverOptions<Answer, Failure, Data, Kept, Key, Cursor>
      | DefaultedQueryObserverOptions<Answer, Failure, Data, Kept, Key>,
  ): DefaultedQueryObserverOptions<Answer, Failure, Data, Kept, Key> {
    const defaulted = super.defaultQueryOptions(options);
    if (options._defaulted) return defaulted;
    const { enabled = true } = defaulted;
    return {
      ...defaulted,
      enabled: (query) =>
        !query.queryKey.some((part) => this.#ending.has(part)) &&
        (typeof enabled === 'function' ? enabled(query) : enabled),
    };
  }

  #askAgain({ promise, queryKey }: Query): void {
    if (!promise || this.#askedAgain.has(promise)) return;
    this.#askedAgain.add(promise);
    const again = (): void => void super.invalidateQueries({ queryKey, exact: true });
    promise.then(again, again);
  }
}

export const queryClient: CurrentQueryClient = new CurrentQueryClient({
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
