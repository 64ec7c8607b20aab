import type { Role } from '@heterosis/contracts/common';
import type { InvitedRole } from '@heterosis/contracts/people/invitations';
import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import { type Actor, mayChangeRole, mayRemoveMember } from '@heterosis/contracts/people/people-rules';
import type { OrganizationRight, ProjectRight } from '@heterosis/contracts/people/rights';
import type { Place } from '../../../lib/browser/place.ts';

/** The rights of somebody in an organization or a project, as far as its people are concerned. */
export interface Standing {
  kind: Place['kind'];
  userId: string;
  /** In a project the effective role: the higher of those in the project and in its organization. */
  role: Role;
  rights: readonly (OrganizationRight | ProjectRight)[];
}

type Member = Pick<OrganizationMember, 'user_id' | 'role'>;

export const mayInvite = ({ rights }: Standing): boolean => rights.includes('invite');

export const seesInvitations = ({ rights }: Standing): boolean => rights.includes('see_invitations');

export const rolesToInvite = ({ rights }: Standing): InvitedRole[] =>
  rights.includes('invite_managers') ? ['MEMBER', 'MANAGER'] : ['MEMBER'];

/** The roles that the server lets this person give to a member; the last owner of an organization keeps the role. */
export function rolesToGive(standing: Standing, member: Member, members: readonly Member[]): Role[] {
  if (!standing.rights.includes('change_roles') || isLastOwner(standing, member, members)) return [];
  return ROLES.filter((role) => role !== member.role && mayChangeRole(actorOf(standing), member.role, role));
}

/** Whether this person may remove a member, or leave when the member is the person. */
export function mayRemove(standing: Standing, member: Member, members: readonly Member[]): boolean {
  if (isLastOwner(standing, member, members)) return false;
  if (member.user_id === standing.userId) return true;
  return standing.rights.includes('remove_members') && mayRemoveMember(actorOf(standing), member.role);
}

const ROLES = ['OWNER', 'MANAGER', 'MEMBER'] as const;

const actorOf = ({ kind, role, rights }: Standing): Actor => ({
  place: kind,
  role,
  mayInviteManagers: rights.includes('invite_managers'),
});

/** An owner of an organization may make another one its owner and become a manager. */
export const mayHandOver = ({ kind, role, rights, userId }: Standing, member: Member): boolean =>
  kind === 'organization' &&
  role === 'OWNER' &&
  rights.includes('change_roles') &&
  member.user_id !== userId &&
  member.role !== 'OWNER';

const isLastOwner = ({ kind }: Standing, member: Member, members: readonly Member[]): boolean =>
  kind === 'organization' && member.role === 'OWNER' && members.filter(({ role }) => role === 'OWNER').length === 1;
