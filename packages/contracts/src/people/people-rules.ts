import type { Role } from '../common.ts';

/** Somebody who acts on the members of a place. */
export interface Actor {
  place: 'organization' | 'project';
  /** In a project the effective role: the higher of those in the project and in its organization. */
  role: Role | 'GUEST';
  /** In an organization: owners may, and managers where it lets them. */
  mayInviteManagers: boolean;
}

/**
 * Whether one may change the role of a member. Owners set any role. Managers of an organization that lets them invite
 * managers promote members; managers of a project promote and demote all but its owners. Server and pages both ask
 * here, so that a page offers exactly what the server allows.
 */
export function mayChangeRole({ place, role, mayInviteManagers }: Actor, from: Role, to: Role): boolean {
  if (role === 'OWNER') return true;
  if (place === 'organization') return mayInviteManagers && from === 'MEMBER' && to === 'MANAGER';
  return role === 'MANAGER' && from !== 'OWNER' && to !== 'OWNER';
}

/** Whether one may remove another member of this role. Anybody may leave. */
export function mayRemoveMember({ place, role }: Actor, theirs: Role): boolean {
  if (role === 'OWNER') return true;
  return role === 'MANAGER' && (place === 'organization' ? theirs === 'MEMBER' : theirs !== 'OWNER');
}
