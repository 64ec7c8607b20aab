import {
  accessToken,
  createAccessTokenBody,
  createdAccessToken,
  outboxMail,
  publicConfig,
  signInLinkBody,
  signInLinkResult,
  signupBody,
  signupResult,
  tokenBody,
  tokenInfo,
  tokenResult,
} from '@heterosis/contracts/auth';
import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { SignInConfig } from '../../platform/config/sign-in-config.ts';
import { type AccessControl, requirePrincipal } from '../../platform/http/access.ts';
import type { App, Services } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/problem.ts';
import { findUser, toSignedInUser } from '../accounts/index.ts';
import { createAccessToken, deleteAccessToken, listOwnAccessTokens } from './access-tokens.service.ts';
import { listOutbox, listUserOrganizations } from './auth.queries.ts';
import type { Authenticated } from './authenticate.ts';
import { createFirebaseVerifier } from './firebase-tokens.ts';
import type { KeyRing } from './key-ring.ts';
import { refreshSession, signIn, signOut } from './sessions.service.ts';
import { requestSignInLink, SIGN_IN_LINK_SECONDS, signUp } from './sign-in-link.service.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers of reverse proxies: behind a local one, every caller seems to be local. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'];

/**
 * Whether the caller is at this machine and used one of its own names. A foreign page whose name resolves here (DNS
 * rebinding) sends its own name.
 */
function isAtThisMachine(request: FastifyRequest, publicUrl: string): boolean {
  const host = request.headers.host ?? '';
  return (
    LOOPBACK.test(request.ip) &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined) &&
    (LOOPBACK_HOST.test(host) || host === new URL(publicUrl).host)
  );
}

function publicSignIn({ oidc, firebase }: SignInConfig) {
  return {
    email_link: firebase === null,
    oidc: oidc === null ? null : { name: oidc.name },
    firebase:
      firebase === null
        ? null
        : {
            project_id: firebase.projectId,
            api_key: firebase.apiKey,
            auth_domain: firebase.authDomain,
            emulator_host: firebase.emulatorHost ?? null,
          },
  };
}

export interface AuthOptions {
  keys: KeyRing;
  findProjectAccess: AccessControl['findProjectAccess'];
}

/** Sign-in, sessions and personal access tokens. */
export function authRoutes({ keys, findProjectAccess }: AuthOptions): (app: App, services: Services) => void {
  return (app, services) => {
    const { db, config, mailer } = services;
    const context = { db, config, mailer };
    const drivers = { db, keys, config, firebase: createFirebaseVerifier(config.signIn.firebase) };

    app.get(
      '/config',
      {
        config: { guard: 'public' },
        schema: { summary: 'What this installation offers', response: { 200: publicConfig } },
      },
      async () => ({
        outbox: mailer.kind === 'outbox',
        registration: config.registration,
        max_upload_bytes: config.limits.uploadBytes,
        support: config.support,
        billing: {
          kind: config.billing.kind,
          stripe_key: config.billing.kind === 'stripe' ? config.billing.publishableKey : null,
          contact: config.billing.contact,
          free_seats: config.billing.freeSeats,
        },
        sign_in: publicSignIn(config.signIn),
        version: config.version,
      }),
    );
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
      async (request) => ({
        status: await signUp({ ...context, jobs: services.jobs }, { email: request.body.email, ip: request.callerIp }),
      }),
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
          ? refreshSession({ db, keys }, body.refresh_token)
          : signIn(drivers, body, request.headers['user-agent']);
      },
    );
    app.delete(
      '/auth/session',
      { config: { guard: 'signed-in' }, schema: { summary: 'Sign out', response: { 204: z.null() } } },
      async (request, reply) => {
        await signOut(db, requirePrincipal(request));
        return reply.status(204).send(null);
      },
    );
    app.get(
      '/auth/token',
      {
        config: { guard: 'signed-in', accessTokens: 'own-projects' },
        schema: {
          summary: 'What the presented token may do',
          description:
            'Its user, the organizations with the role in each, the scopes (`read`, `write`), until when it lasts, and whether it is of a session or a personal access token. A token never allows more than its user may do.',
          response: { 200: tokenInfo },
        },
      },
      async (request) => {
        const principal = requirePrincipal(request) as Authenticated;
        const user = await findUser(db, principal.userId);
        if (!user) throw notFound('This account');
        return {
          user: toSignedInUser(user),
          kind: principal.sessionId === null ? ('access_token' as const) : ('session' as const),
          scopes: [...(principal.scopes ?? ['read', 'write'])],
          organizations: principal.projectIds === null ? await listUserOrganizations(db, principal.userId) : [],
          project_ids: principal.projectIds === null ? null : [...principal.projectIds],
          expires_at: principal.expiresAt,
        };
      },
    );

    app.get(
      '/access_tokens',
      {
        config: { guard: 'signed-in' },
        schema: { summary: 'My personal access tokens', querystring: pageQuery, response: { 200: page(accessToken) } },
      },
      async (request) => listOwnAccessTokens(db, requirePrincipal(request), request.query),
    );
    app.post(
      '/access_tokens',
      {
        // A leaked token could renew itself forever.
        config: { guard: 'signed-in', accessTokens: 'none', hasSecretAnswer: true },
        schema: {
          summary: 'Make a personal access token',
          body: createAccessTokenBody,
          response: { 201: createdAccessToken },
        },
      },
      async (request, reply) =>
        reply.status(201).send(await createAccessToken(db, requirePrincipal(request), request.body, findProjectAccess)),
    );
    app.delete(
      '/access_tokens/:id',
      {
        config: { guard: 'signed-in' },
        schema: {
          summary: 'Delete a personal access token',
          params: z.object({ id: pathId }),
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        await deleteAccessToken(db, requirePrincipal(request), request.params.id);
        return reply.status(204).send(null);
      },
    );

    // Mails contain sign-in links: shown only in outbox mode and only to callers at this machine.
    app.get(
      '/dev/outbox',
      {
        config: { guard: 'public' },
        schema: { summary: 'Mails of this installation', response: { 200: z.object({ data: z.array(outboxMail) }) } },
      },
      async (request) => {
        if (mailer.kind !== 'outbox' || !isAtThisMachine(request, config.publicUrl)) throw notFound();
        return { data: await listOutbox(db) };
      },
    );
  };
}
