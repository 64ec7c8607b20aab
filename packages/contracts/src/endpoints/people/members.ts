import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, put } from '../../endpoint.ts';
import { organizationMember, updateMemberBody } from '../../people/organizations.ts';

export const membersApi = {
  listMembersOfOrganization: get(
    '/organizations/:organization_id/members',
    { organization: 'MEMBER' },
    {
      summary: 'Members of an organization',
      query: pageQuery,
      answer: page(organizationMember),
    },
  ),
  changeMemberRole: put(
    '/organizations/:organization_id/members/:id',
    { organization: 'MANAGER' },
    {
      summary: 'Change the role of a member',
      body: updateMemberBody,
      answer: organizationMember,
    },
  ),
  removeMember: del(
    '/organizations/:organization_id/members/:id',
    { organization: 'MEMBER' },
    {
      summary: 'Remove a member, or leave',
    },
  ),
} as const satisfies Endpoints;
