import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post } from '../../endpoint.ts';
import { changeEmailBody, confirmEmailBody, confirmedEmail, emailChangeSent, userSession } from '../../people/auth.ts';

/** A personal access token may touch neither sessions nor the address. */
const PERSONAL = { accessTokens: 'none', beforeSecondFactor: true } as const;

/** Where the caller is signed in, and with which address. */
export const ownSessionsApi = {
  listOwnSessions: get('/sessions', 'signed-in', {
    summary: 'Where I am signed in',
    query: pageQuery,
    answer: page(userSession),
    ...PERSONAL,
  }),
  endOwnSession: del('/sessions/:id', 'signed-in', { summary: 'Sign out one device', ...PERSONAL }),
  endOtherSessions: del('/sessions', 'signed-in', { summary: 'Sign out everywhere else', ...PERSONAL }),
  requestEmailChange: post('/users/me/email', 'signed-in', {
    summary: 'Change my e-mail address',
    description: 'Mails a link to the new address. The address changes when the link is opened.',
    body: changeEmailBody,
    answer: emailChangeSent,
    ...PERSONAL,
    needsProof: true,
  }),
  cancelEmailChange: del('/users/me/email', 'signed-in', { summary: 'Keep my e-mail address', ...PERSONAL }),
  confirmEmailChange: post('/auth/email', 'public', {
    summary: 'Confirm a new e-mail address',
    body: confirmEmailBody,
    answer: confirmedEmail,
  }),
} as const satisfies Endpoints;
