import * as z from 'zod';
import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post } from '../../endpoint.ts';
import {
  accessToken,
  createAccessTokenBody,
  createdAccessToken,
  outboxMails,
  outboxQuery,
  publicConfig,
  signInLinkBody,
  signInLinkResult,
  signupBody,
  signupResult,
  startOidcQuery,
  tokenBody,
  tokenInfo,
  tokenResult,
} from '../../people/auth.ts';
import { allowConnectionBody, connectionAnswer, connectionRequest } from '../../people/connections.ts';
import { guestSession } from '../../people/guests.ts';

/** Sign-in, and the access tokens that people make for programs. */
export const authApi = {
  readPublicConfig: get('/config', 'public', { summary: 'What this installation offers', answer: publicConfig }),
  requestSignInLink: post('/auth/link', 'public', {
    summary: 'Mail a sign-in link',
    body: signInLinkBody,
    answer: signInLinkResult,
  }),
  signUp: post('/signup', 'public', { summary: 'Ask for an account', body: signupBody, answer: signupResult }),
  getTokens: post('/auth/token', 'public', {
    summary: 'Exchange a code, a custom token or a refresh token',
    body: tokenBody,
    answer: tokenResult,
    perMinute: 600,
  }),
  openGuestSession: post('/auth/guest', 'public', {
    summary: 'Look at the demo without an account',
    description: 'The token reads the demo project and changes nothing. 404 `auth/no-demo` where there is no demo.',
    answer: guestSession,
    perMinute: 60,
  }),
  signOut: del('/auth/session', 'signed-in', { summary: 'Sign out', beforeSecondFactor: true }),
  readTokenInfo: get('/auth/token', 'signed-in', {
    summary: 'What the presented token may do',
    description:
      'Its user, the organizations with the role in each, the scopes (`read`, `write`), until when it lasts, and whether it is of a session or a personal access token. A token never allows more than its user may do.',
    answer: tokenInfo,
    accessTokens: 'own-projects',
  }),
  listOwnAccessTokens: get('/access_tokens', 'signed-in', {
    summary: 'My personal access tokens',
    query: pageQuery,
    answer: page(accessToken),
  }),
  createAccessToken: post('/access_tokens', 'signed-in', {
    summary: 'Make a personal access token',
    body: createAccessTokenBody,
    answer: createdAccessToken,
    status: 201,
    // A leaked token could renew itself forever.
    accessTokens: 'none',
    needsProof: true,
    hasSecretAnswer: true,
  }),
  deleteAccessToken: del('/access_tokens/:id', 'signed-in', { summary: 'Delete a personal access token' }),
  listMails: get('/dev/outbox', 'public', {
    summary: 'Mails of this installation',
    query: outboxQuery,
    answer: outboxMails,
  }),
} as const satisfies Endpoints;

const BROWSERS = { status: 302, perMinute: 300 } as const;

/** Sign-in by an OpenID Connect provider. */
export const oidcApi = {
  startOidc: get('/auth/oidc/start', 'public', {
    summary: 'Sign in by the OpenID Connect provider',
    description: 'Leads the browser to the provider.',
    query: startOidcQuery,
    ...BROWSERS,
  }),
  finishOidc: get('/auth/oidc/callback', 'public', {
    summary: 'Where the provider sends the browser back',
    description: 'Leads to `/signin`.',
    anyQuery: true,
    ...BROWSERS,
  }),
} as const satisfies Endpoints;

const CONNECTION = { params: { uid: z.string().max(100) }, accessTokens: 'none', hasSecretAnswer: true } as const;

/** What a person answers an app that asks for access. */
export const connectionsApi = {
  findConnectionRequest: get('/auth/connections/:uid', 'signed-in', {
    summary: 'An app that asks for access',
    answer: connectionRequest,
    ...CONNECTION,
  }),
  allowConnection: post('/auth/connections/:uid', 'signed-in', {
    summary: 'Give an app access',
    description: 'The app gets an access token that ends after 90 days. It is listed with your access tokens.',
    body: allowConnectionBody,
    answer: connectionAnswer,
    ...CONNECTION,
    needsProof: true,
  }),
  refuseConnection: del('/auth/connections/:uid', 'signed-in', {
    summary: 'Refuse an app access',
    answer: connectionAnswer,
    ...CONNECTION,
  }),
} as const satisfies Endpoints;
