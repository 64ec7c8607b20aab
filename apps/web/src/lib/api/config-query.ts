import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';
import { keys } from './query-keys.ts';

/** What this installation offers. */
export const configQuery = () =>
  queryOptions({
    queryKey: keys.config,
    queryFn: ({ signal }) => call(authApi.readPublicConfig, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
