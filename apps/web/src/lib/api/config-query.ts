import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';
import { keys } from './query-keys.ts';

/** What this installation offers. The schema is heavier than the whole sign-in page: it comes when it is needed. */
export const configQuery = () =>
  queryOptions({
    queryKey: keys.config,
    queryFn: async ({ signal }) =>
      api.get((await import('@heterosis/contracts/people/auth')).publicConfig, '/config', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
