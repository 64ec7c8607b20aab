import { publicConfig, signInLinkResult, signupResult } from '@heterosis/contracts/auth';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api-client.ts';
import { keys } from '../../lib/query-keys.ts';

/** What the signed-out page needs to know about this installation. */
export const configQuery = () =>
  queryOptions({
    queryKey: keys.config,
    queryFn: ({ signal }) => api.get(publicConfig, '/config', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const requestSignInLink = (email: string, returnTo: string | undefined) =>
  api.post(signInLinkResult, '/auth/link', { email, ...(returnTo === undefined ? {} : { return_to: returnTo }) });

export const requestRegistration = (email: string) => api.post(signupResult, '/signup', { email });
