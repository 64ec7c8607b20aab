import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post, put } from '../../endpoint.ts';
import {
  createOrganizationBody,
  organization,
  organizationDetail,
  updateOrganizationBody,
} from '../../people/organizations.ts';

export const organizationsApi = {
  listOrganizations: get('/organizations', 'signed-in', {
    summary: 'My organizations',
    query: pageQuery,
    answer: page(organization),
  }),
  createOrganization: post('/organizations', 'signed-in', {
    summary: 'Create an organization',
    body: createOrganizationBody,
    answer: organizationDetail,
    status: 201,
  }),
  readOrganization: get(
    '/organizations/:organization_id',
    { organization: 'GUEST' },
    {
      summary: 'Read an organization',
      answer: organizationDetail,
    },
  ),
  changeOrganization: put(
    '/organizations/:organization_id',
    { organization: 'MANAGER' },
    {
      summary: 'Change an organization',
      body: updateOrganizationBody,
      answer: organizationDetail,
    },
  ),
  deleteOrganization: del(
    '/organizations/:organization_id',
    { organization: 'OWNER' },
    {
      summary: 'Delete an organization',
    },
  ),
} as const satisfies Endpoints;
