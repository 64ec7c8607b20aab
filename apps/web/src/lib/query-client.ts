import { QueryClient } from '@tanstack/react-query';
import { isWorthRetrying } from './problem.ts';

const RETRIES = 2;

export const queryClient: QueryClient = new QueryClient({
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
