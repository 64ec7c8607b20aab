import type { Role } from '@heterosis/contracts/common';
import { describe, expect, it } from 'vitest';
import { mayHandOver, mayInvite, mayRemove, rolesToGive, rolesToInvite, type Standing } from './rights.ts';

const people = (roles: readonly Role[]) => roles.map((role, index) => ({ user_id: `u${index}`, role }));
/** As the server gives them to the role, while the organization is paid for. */
const rightsOf = (kind: Standing['kind'], role: Role, mayInviteManagers: boolean): Standing['rights'] => [
  'delete_own',
  ...(role === 'MEMBER' ? [] : (['invite', 'remove_members'] as const)),
  ...(mayInviteManagers ? (['invite_managers'] as const) : []),
  ...(mayInviteManagers || (kind === 'project' && role !== 'MEMBER') ? (['change_roles'] as const) : []),
];
const standing = (kind: Standing['kind'], role: Role, mayInviteManagers: boolean, userId = 'me'): Standing => ({
  kind,
  role,
  rights: rightsOf(kind, role, mayInviteManagers),
  userId,
});

/** What is offered about an owner (of two), a manager and a member: roles to give, and whether removal is. */
function offered(of: Standing): string[] {
  const members = people(['OWNER', 'OWNER', 'MANAGER', 'MEMBER']);
  return members
    .slice(1)
    .map((member) =>
      `${rolesToGive(of, member, members).join(' ')}${mayRemove(of, member, members) ? ' -' : ''}`.trim(),
    );
}

describe('what is offered about other people', () => {
  it.each([
    ['organization', 'OWNER', true, ['MANAGER MEMBER -', 'OWNER MEMBER -', 'OWNER MANAGER -']],
    ['organization', 'MANAGER', true, ['', '', 'MANAGER -']],
    ['organization', 'MANAGER', false, ['', '', '-']],
    ['organization', 'MEMBER', false, ['', '', '']],
    ['project', 'OWNER', true, ['MANAGER MEMBER -', 'OWNER MEMBER -', 'OWNER MANAGER -']],
    ['project', 'MANAGER', false, ['', 'MEMBER -', 'MANAGER -']],
    ['project', 'MEMBER', false, ['', '', '']],
  ] as const)('of an %s to its %s (may invite managers: %s)', (kind, role, mayInviteManagers, expected) => {
    expect(offered(standing(kind, role, mayInviteManagers))).toEqual(expected);
  });
});

it('keeps the last owner of an organization, and nobody else', () => {
  const members = people(['OWNER', 'MANAGER', 'MEMBER']);
  const about = (kind: Standing['kind'], index: number) => {
    const { user_id, role } = members[index] ?? { user_id: '', role: 'MEMBER' };
    const own = standing(kind, role, false, user_id);
    return [rolesToGive(own, { user_id, role }, members).length > 0, mayRemove(own, { user_id, role }, members)];
  };
  expect(about('organization', 0)).toEqual([false, false]);
  expect(about('organization', 1)).toEqual([false, true]);
  expect(about('organization', 2)).toEqual([false, true]);
  expect(about('project', 0)).toEqual([true, true]);
});

it('offers handing over to owners of organizations, about others only', () => {
  const [owner, manager] = people(['OWNER', 'MANAGER']);
  if (!owner || !manager) throw new Error('two people');
  expect(mayHandOver(standing('organization', 'OWNER', true), manager)).toBe(true);
  expect(mayHandOver(standing('organization', 'OWNER', true), owner)).toBe(false);
  expect(mayHandOver(standing('organization', 'MANAGER', true), manager)).toBe(false);
  expect(mayHandOver(standing('project', 'OWNER', true), manager)).toBe(false);
});

it('offers no roles and no invitations while the organization can only be read, and still to leave and to remove', () => {
  const members = people(['OWNER', 'OWNER', 'MEMBER']);
  const [me, , member] = members;
  if (!me || !member) throw new Error('three people');
  const unpaid: Standing = { kind: 'organization', role: 'OWNER', rights: ['remove_members'], userId: me.user_id };
  expect(mayInvite(unpaid)).toBe(false);
  expect(rolesToGive(unpaid, member, members)).toEqual([]);
  expect(mayHandOver(unpaid, member)).toBe(false);
  expect(mayRemove(unpaid, me, members)).toBe(true);
  expect(mayRemove(unpaid, member, members)).toBe(true);
});

it('offers to leave a project in which one may only read, and nothing else', () => {
  const [me, other] = people(['MEMBER', 'MEMBER']);
  if (!me || !other) throw new Error('two people');
  const reader: Standing = { kind: 'project', role: 'MEMBER', rights: [], userId: me.user_id };
  expect(mayRemove(reader, me, [me, other])).toBe(true);
  expect(mayRemove(reader, other, [me, other])).toBe(false);
  expect(rolesToGive(reader, me, [me, other])).toEqual([]);
});

it('offers MANAGER in an invitation only to who may invite managers, and MEMBER first', () => {
  expect(rolesToInvite(standing('organization', 'OWNER', true))).toEqual(['MEMBER', 'MANAGER']);
  expect(rolesToInvite(standing('organization', 'MANAGER', false))).toEqual(['MEMBER']);
});
