import type { Role } from '@heterosis/contracts/common';
import {
  invitationsOfOrganizationApi,
  invitationsOfProjectApi,
} from '@heterosis/contracts/endpoints/people/invitations';
import { membersApi } from '@heterosis/contracts/endpoints/people/members';
import { projectMembersApi } from '@heterosis/contracts/endpoints/people/project-members';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import type { InvitedRole } from '@heterosis/contracts/people/invitations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { type Place, parametersOf } from '../../../lib/browser/place.ts';

/** Members of projects have the same fields as members of organizations. */
const ENDPOINTS = {
  organization: {
    ...invitationsOfOrganizationApi,
    listMembers: membersApi.listMembersOfOrganization,
    changeRole: membersApi.changeMemberRole,
    removeMember: membersApi.removeMember,
  },
  project: {
    ...invitationsOfProjectApi,
    listMembers: projectMembersApi.listMembersOfProject,
    changeRole: projectMembersApi.changeProjectMemberRole,
    removeMember: projectMembersApi.removeProjectMember,
  },
} as const;

export const membersQuery = (place: Place) =>
  queryOptions({
    queryKey: keys.members(place),
    queryFn: ({ signal }) => listAll(ENDPOINTS[place.kind].listMembers, parametersOf(place), signal),
  });

export const sentInvitationsQuery = (place: Place) =>
  queryOptions({
    queryKey: keys.sentInvitations(place),
    queryFn: ({ signal }) => listAll(ENDPOINTS[place.kind].listSent, parametersOf(place), signal),
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
          const chosen = projects.length > 0 && role === 'MEMBER' ? { project_ids: projects } : {};
          const body = { recipient, role, ...chosen };
          await call(ENDPOINTS[place.kind].invite, { ...parametersOf(place), body });
          results.push({ address: recipient, problem: undefined });
        } catch (error) {
          results.push({ address: recipient, problem: asProblem(error) });
        }
      }
      return results;
    },
  );

export const useResend = (place: Place) =>
  usePeopleMutation((id: string) => call(ENDPOINTS[place.kind].resendInvitation, { ...parametersOf(place), id }));

export const useWithdraw = (place: Place) =>
  usePeopleMutation((id: string) => call(ENDPOINTS[place.kind].withdrawInvitation, { ...parametersOf(place), id }));

export const useChangeRole = (place: Place) =>
  usePeopleMutation(({ id, role }: { id: string; role: Role }) =>
    call(ENDPOINTS[place.kind].changeRole, { ...parametersOf(place), id, body: { role } }),
  );

export const useRemoveMember = (place: Place) =>
  usePeopleMutation((id: string) => call(ENDPOINTS[place.kind].removeMember, { ...parametersOf(place), id }));
