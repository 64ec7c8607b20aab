import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';
import {
  createdShareLink,
  createShareLinkBody,
  listShareLinksQuery,
  openSharedBody,
  printSharedBody,
  sharedThing,
  shareLink,
} from '../../people/share-links.ts';

export const shareLinksApi = {
  listShareLinks: get('/projects/:project_id/share_links', PROJECT_MEMBER, {
    summary: 'Share links of a project, or of one thing in it, the newest first',
    query: listShareLinksQuery,
    answer: page(shareLink),
    closedToGuests: true,
  }),
  createShareLink: post('/projects/:project_id/share_links', PROJECT_MEMBER, {
    summary: 'Share a result by a link that opens without an account',
    description:
      'Of results of my own, or as a manager of anybody. The organization may forbid it or allow fewer days.',
    body: createShareLinkBody,
    answer: createdShareLink,
    status: 201,
    hasSecretAnswer: true,
    perMinute: 20,
  }),
  revokeShareLink: del('/projects/:project_id/share_links/:id', PROJECT_MEMBER, {
    summary: 'Revoke a share link of mine, or as a manager of anybody',
    description: 'It shows nothing from now on.',
  }),
  listOrganizationShareLinks: get(
    '/organizations/:organization_id/share_links',
    { organization: 'MANAGER' },
    {
      summary: 'Share links of all projects, the newest first',
      query: pageQuery,
      answer: page(shareLink),
    },
  ),
  openShared: post('/shared', 'public', {
    summary: 'What a share link shows',
    description: 'The same answer for a wrong, an expired and a revoked link. It needs no account.',
    body: openSharedBody,
    answer: sharedThing,
    readOnly: true,
    perMinute: 60,
  }),
  printShared: post('/shared/report', 'public', {
    summary: 'What a share link shows, as a report (PDF)',
    body: printSharedBody,
    media: ['application/pdf'],
    readOnly: true,
    perMinute: 20,
  }),
} as const satisfies Endpoints;
