import {
  signInLinkBody,
  signInLinkResult,
  signupBody,
  signupResult,
  tokenBody,
  tokenResult,
} from '@heterosis/contracts/people/auth';
import * as z from 'zod';
import { type AccessControl, requirePrincipal } from '../../../platform/http/access.ts';
import type { App, Services } from '../../../platform/http/app.ts';
import { registerAccessTokens, registerTokenInfo } from './access-tokens.routes.ts';
import { registerOutbox } from './outbox.routes.ts';
import { readProvenAddress } from './proven-address.ts';
import { registerPublicConfig } from './public-config.routes.ts';
import type { KeyRing } from './sessions/key-ring.ts';
import { refreshSession, signIn, signOut } from './sessions/sessions.service.ts';
import { createFirebaseVerifier } from './sign-in/firebase-tokens.ts';
import { requestSignInLink, SIGN_IN_LINK_SECONDS, signUp } from './sign-in/sign-in-link.service.ts';

export interface AuthOptions {
  keys: KeyRing;
  findProjectAccess: AccessControl['findProjectAccess'];
}

/** Sign-in, sessions and personal access tokens. */
export function authRoutes({ keys, findProjectAccess }: AuthOptions): (app: App, services: Services) => void {
  return (app, services) => {
    registerPublicConfig(app, services);
    registerSignIn(app, services, keys);
    registerTokenInfo(app, services);
    registerAccessTokens(app, services, findProjectAccess);
    registerOutbox(app, services);
  };
}

function registerSignIn(app: App, { db, config, mailer, jobs }: Services, keys: KeyRing): void {
  const context = { db, config, mailer };
  const drivers = { db, keys, config, firebase: createFirebaseVerifier(config.signIn.firebase) };

  app.post(
    '/auth/link',
    {
      config: { guard: 'public' },
      schema: { summary: 'Mail a sign-in link', body: signInLinkBody, response: { 200: signInLinkResult } },
    },
    async (request) => {
      const { email, return_to: returnTo } = request.body;
      const status = await requestSignInLink(context, { email, ip: request.callerIp, returnTo });
      return { status, expires_in: SIGN_IN_LINK_SECONDS };
    },
  );
  app.post(
    '/signup',
    {
      config: { guard: 'public' },
      schema: { summary: 'Ask for an account', body: signupBody, response: { 200: signupResult } },
    },
    async ({ body, callerIp: ip }) => {
      if (!('proof' in body))
        return {
          status: await signUp(
            { ...context, jobs },
            { email: body.email, returnTo: body.return_to, ip, isProven: false },
          ),
        };
      const proven = await readProvenAddress(keys, body.proof);
      return { status: await signUp({ ...context, jobs }, { ...proven, ip, isProven: true }) };
    },
  );
  app.post(
    '/auth/token',
    {
      config: { guard: 'public', rateLimit: { max: 600, timeWindow: '1 minute' } },
      schema: {
        summary: 'Exchange a code, a custom token or a refresh token',
        body: tokenBody,
        response: { 200: tokenResult },
      },
    },
    async (request) => {
      const { body } = request;
      return body.grant_type === 'refresh_token'
        ? refreshSession({ db, keys, config }, body.refresh_token)
        : signIn(drivers, body, request.headers['user-agent']);
    },
  );
  app.delete(
    '/auth/session',
    {
      config: { guard: 'signed-in', beforeSecondFactor: true },
      schema: { summary: 'Sign out', response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOut(db, requirePrincipal(request));
      return reply.status(204).send(null);
    },
  );
}
