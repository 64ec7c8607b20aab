import { invitationsApi } from '@heterosis/contracts/endpoints/people/invitations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';

export const invitationsQuery = () =>
  queryOptions({
    queryKey: keys.invitations,
    queryFn: ({ signal }) => listAll(invitationsApi.listReceived, {}, signal),
    enabled: guestProject() === undefined,
    staleTime: 60_000,
  });

/** Also after a failure: the invitation may have been withdrawn, or accepted in another tab. */
function useAnswer<Result>(mutationFn: (id: string) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all(
        [keys.invitations, keys.organizations, keys.projects].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export const useAcceptInvitation = () => useAnswer((id) => call(invitationsApi.acceptInvitation, { id }));
export const useDeclineInvitation = () => useAnswer((id) => call(invitationsApi.declineInvitation, { id }));
