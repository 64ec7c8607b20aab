import type { Role } from '@heterosis/contracts/common';
import type { InvitedRole } from '@heterosis/contracts/invitations';
import type { OrganizationMember } from '@heterosis/contracts/organizations';
import type { Place } from '../../lib/place.ts';

/** The rights of somebody in an organization or a project, as far as its people are concerned. */
export interface Standing {
  kind: Place['kind'];
  userId: string;
  /** In a project the effective role: the higher of those in the project and in its organization. */
  role: Role;
  /** May invite managers, and in an organization make members managers. */
  mayInviteManagers: boolean;
}

type Member = Pick<OrganizationMember, 'user_id' | 'role'>;

export const mayInvite = ({ role }: Standing): boolean => role !== 'MEMBER';

export const rolesToInvite = ({ mayInviteManagers }: Standing): InvitedRole[] =>
  mayInviteManagers ? ['MEMBER', 'MANAGER'] : ['MEMBER'];

/** The roles that the server lets this person give to a member; the last owner of an organization keeps the role. */
export function rolesToGive(standing: Standing, member: Member, members: readonly Member[]): Role[] {
  const others = (['OWNER', 'MANAGER', 'MEMBER'] as const).filter((role) => role !== member.role);
  if (isLastOwner(standing, member, members)) return [];
  if (standing.role === 'OWNER') return others;
  if (standing.role === 'MEMBER' || member.role === 'OWNER') return [];
  if (standing.kind === 'project') return others.filter((role) => role !== 'OWNER');
  return standing.mayInviteManagers && member.role === 'MEMBER' ? ['MANAGER'] : [];
}

/** Whether this person may remove a member, or leave when the member is the person. */
export function mayRemove(standing: Standing, member: Member, members: readonly Member[]): boolean {
  if (isLastOwner(standing, member, members)) return false;
  if (member.user_id === standing.userId || standing.role === 'OWNER') return true;
  if (standing.role === 'MEMBER') return false;
  return standing.kind === 'project' ? member.role !== 'OWNER' : member.role === 'MEMBER';
}

/** An owner of an organization may make another one its owner and become a manager. */
export const mayHandOver = ({ kind, role, userId }: Standing, member: Member): boolean =>
  kind === 'organization' && role === 'OWNER' && member.user_id !== userId && member.role !== 'OWNER';

const isLastOwner = ({ kind }: Standing, member: Member, members: readonly Member[]): boolean =>
  kind === 'organization' && member.role === 'OWNER' && members.filter(({ role }) => role === 'OWNER').length === 1;
