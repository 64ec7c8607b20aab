import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, put } from '../../endpoint.ts';
import { projectMember, updateMemberBody } from '../../people/organizations.ts';

export const projectMembersApi = {
  listMembersOfProject: get('/projects/:project_id/members', PROJECT_MEMBER, {
    closedToGuests: true,
    summary: 'People with a role in the project',
    description: 'Owners and managers of the organization reach all of its projects and are not listed here.',
    query: pageQuery,
    answer: page(projectMember),
  }),
  changeProjectMemberRole: put(
    '/projects/:project_id/members/:id',
    { project: 'MANAGER' },
    {
      summary: 'Change a role in the project',
      body: updateMemberBody,
      answer: projectMember,
    },
  ),
  removeProjectMember: del('/projects/:project_id/members/:id', PROJECT_MEMBER, {
    summary: 'Remove somebody from the project, or leave it',
    readersMayCall: true,
  }),
} as const satisfies Endpoints;
