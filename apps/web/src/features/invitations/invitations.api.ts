import { invitation } from '@heterosis/contracts/invitations';
import { queryOptions } from '@tanstack/react-query';
import { listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';

export const invitationsQuery = () =>
  queryOptions({
    queryKey: keys.invitations,
    queryFn: ({ signal }) => listAll(invitation, '/invitations', { signal }),
    staleTime: 60_000,
  });
