import { queryClient } from '../../../lib/api/query-client.ts';
import { accessTokensQuery, profileQuery, sessionsQuery, tokenInfoQuery } from './accounts.api.ts';
import { secondFactorQuery } from './second-factor/second-factor.api.ts';

/** All lists of the page at once, so that none moves what is below it. A part that fails says so in its place. */
export const loadAccountPage = (): Promise<unknown> =>
  Promise.all([
    queryClient.prefetchQuery(profileQuery()),
    queryClient.prefetchQuery(tokenInfoQuery()),
    queryClient.prefetchQuery(secondFactorQuery()),
    queryClient.prefetchQuery(sessionsQuery()),
    queryClient.prefetchQuery(accessTokensQuery()),
  ]);
