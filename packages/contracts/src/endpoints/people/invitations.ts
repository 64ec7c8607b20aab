import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post, type RouteGuard } from '../../endpoint.ts';
import {
  acceptedInvitation,
  invitation,
  invitationSignIn,
  invitationSignInBody,
  inviteBody,
  sentInvitation,
} from '../../people/invitations.ts';

export const invitationsApi = {
  listReceived: get('/invitations', 'signed-in', {
    summary: 'Invitations that I have received',
    query: pageQuery,
    answer: page(invitation),
  }),
  acceptInvitation: get('/invitations/:id/accept', 'signed-in', {
    summary: 'Accept an invitation',
    answer: acceptedInvitation,
    // A GET that changes something: a token that may only read may not call it, and a HEAD does not exist.
    readOnly: false,
    head: false,
  }),
  declineInvitation: del('/invitations/:id', 'signed-in', { summary: 'Decline an invitation' }),
  signInByInvitation: post('/invitations/sign_in', 'public', {
    summary: 'Sign in by the link of an invitation',
    body: invitationSignInBody,
    answer: invitationSignIn,
  }),
} as const satisfies Endpoints;

/** The same four endpoints below an organization and below a project. */
const sentFrom = <const Place extends string, const Guard extends RouteGuard>(
  place: Place,
  guard: Guard,
  what: string,
) =>
  ({
    listSent: get(`${place}/invitations`, guard, {
      summary: `Invitations of ${what}`,
      query: pageQuery,
      answer: page(sentInvitation),
    }),
    invite: post(`${place}/invitations`, guard, {
      summary: `Invite to ${what}`,
      body: inviteBody,
      answer: sentInvitation,
      status: 201,
    }),
    resendInvitation: post(`${place}/invitations/:id/resend`, guard, {
      summary: `Mail an invitation to ${what} again`,
      answer: sentInvitation,
    }),
    withdrawInvitation: del(`${place}/invitations/:id`, guard, { summary: `Withdraw an invitation to ${what}` }),
  }) as const satisfies Endpoints;

export const invitationsOfOrganizationApi = sentFrom(
  '/organizations/:organization_id',
  { organization: 'MANAGER' },
  'an organization',
);
export const invitationsOfProjectApi = sentFrom('/projects/:project_id', { project: 'MANAGER' }, 'a project');
