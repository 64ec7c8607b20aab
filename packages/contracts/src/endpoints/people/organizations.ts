import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post, put } from '../../endpoint.ts';
import {
  createOrganizationBody,
  LOGO_BYTES,
  LOGO_SIDE,
  LOGO_TYPES,
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

/** The logo that reports of an organization bear: sent as the bytes of an image. */
export const logosApi = {
  changeLogo: put(
    '/organizations/:organization_id/logo',
    { organization: 'MANAGER' },
    {
      summary: 'Change the logo on the reports of an organization',
      description: `The bytes of a JPEG or PNG with its content type, at most ${LOGO_BYTES / 1024} KB and ${LOGO_SIDE} pixels on a side; a PNG not interlaced, of 8 bits a channel at most. Metadata is removed.`,
      takes: LOGO_TYPES,
      answer: organizationDetail,
    },
  ),
  removeLogo: del(
    '/organizations/:organization_id/logo',
    { organization: 'MANAGER' },
    { summary: 'Remove the logo from the reports of an organization', answer: organizationDetail },
  ),
  readLogo: get('/logos/:id', 'public', { summary: 'A logo of an organization', media: LOGO_TYPES }),
} as const satisfies Endpoints;
