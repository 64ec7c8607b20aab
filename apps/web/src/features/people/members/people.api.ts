import type { Role } from '@heterosis/contracts/common';
import { projectsApi } from '@heterosis/contracts/endpoints/projects';
import { type InvitedRole, sentInvitation } from '@heterosis/contracts/people/invitations';
import { organizationMember } from '@heterosis/contracts/people/organizations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api-client.ts';
import { listAll, listAllAt } from '../../../lib/api/pages.ts';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { type Place, pathOf } from '../../../lib/browser/place.ts';

/** Members of projects have the same fields as members of organizations. */
export const membersQuery = (place: Place) =>
  queryOptions({
    queryKey: keys.members(place),
    queryFn: ({ signal }) => listAllAt(organizationMember, `${pathOf(place)}/members`, { signal }),
  });

export const sentInvitationsQuery = (place: Place) =>
  queryOptions({
    queryKey: keys.sentInvitations(place),
    queryFn: ({ signal }) => listAllAt(sentInvitation, `${pathOf(place)}/invitations`, { signal }),
  });

/** Projects of an organization, for an invitation that names some of them. */
export const projectsToInviteQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.projects, 'to-invite', organizationId],
    queryFn: async ({ signal }) =>
      (await listAll(projectsApi.listProjects, {}, signal)).filter(
        ({ organization }) => organization?.id === organizationId,
      ),
  });

/** After any change of people: roles in organizations count in projects, and both take seats. */
function usePeopleMutation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.organizations }),
        client.invalidateQueries({ queryKey: keys.projects }),
      ]),
  });
}

/** What became of one invited address. */
export interface InviteResult {
  address: string;
  /** Undefined: invited. */
  problem: Problem | undefined;
}

/** Invites addresses one after the other: each is invited or refused by itself. */
export const useInvite = (place: Place) =>
  usePeopleMutation(
    async ({ addresses, role, projects = [] }: { addresses: string[]; role: InvitedRole; projects?: string[] }) => {
      const results: InviteResult[] = [];
      for (const recipient of addresses) {
        try {
          await api.post(sentInvitation, `${pathOf(place)}/invitations`, {
            ...{ recipient, role },
            ...(projects.length > 0 && role === 'MEMBER' ? { project_ids: projects } : {}),
          });
          results.push({ address: recipient, problem: undefined });
        } catch (error) {
          results.push({ address: recipient, problem: asProblem(error) });
        }
      }
      return results;
    },
  );

export const useResend = (place: Place) =>
  usePeopleMutation((id: string) => api.post(sentInvitation, `${pathOf(place)}/invitations/${id}/resend`, {}));

export const useWithdraw = (place: Place) =>
  usePeopleMutation((id: string) => api.delete(`${pathOf(place)}/invitations/${id}`));

export const useChangeRole = (place: Place) =>
  usePeopleMutation(({ id, role }: { id: string; role: Role }) =>
    api.put(organizationMember, `${pathOf(place)}/members/${id}`, { role }),
  );

export const useRemoveMember = (place: Place) =>
  usePeopleMutation((id: string) => api.delete(`${pathOf(place)}/members/${id}`));
