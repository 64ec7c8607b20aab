import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { admitVerifiedEmail } from './admit.ts';
import { createOidcClient, OIDC_FLOW_SECONDS } from './oidc-client.ts';
import { checkReturnTo, makeSignInLink, userDisabled } from './sign-in-link.service.ts';

const PATH = '/api/auth/oidc';
/** The browser exchanges the code at once. */
const CODE_SECONDS = 60;
const LIMIT = { max: 300, timeWindow: '1 minute' };

/**
 * Sign-in by an OpenID Connect provider. The browser goes to the provider and comes back with its answer; it then gets
 * a one-time code of ours, as from a mailed link, and failures as `auth/…` codes.
 */
export const oidcRoutes =
  (keys: KeyRing): FeatureRoutes =>
  (app, { db, config }) => {
    const client = config.signIn.oidc === null ? undefined : createOidcClient(config.signIn.oidc, config);
    const attributes = `Path=${PATH}; HttpOnly; SameSite=Lax${config.publicUrl.startsWith('https:') ? '; Secure' : ''}`;
    const failed = (request: FastifyRequest, error: unknown): string => {
      if (!(error instanceof Problem)) throw error;
      request.log.warn({ err: error }, 'a sign-in by OpenID Connect failed');
      const proof = error.details?.['proof'];
      const query = new URLSearchParams({ error: error.code, ...(typeof proof === 'string' ? { proof } : {}) });
      return `${config.publicUrl}/signin?${query}`;
    };

    app.get(
      '/auth/oidc/start',
      {
        config: { guard: 'public', rateLimit: LIMIT },
        schema: {
          summary: 'Sign in by the OpenID Connect provider',
          description: 'Leads the browser to the provider.',
          querystring: z.object({
            return_to: z.string().max(2000).optional(),
            again: z.literal('true').optional().describe('The provider asks who it is, whoever is signed in there.'),
          }),
          response: { 302: z.null() },
        },
      },
      async (request, reply) => {
        const returnTo = request.query.return_to === undefined ? null : checkReturnTo(request.query.return_to);
        reply.header('cache-control', 'no-store');
        try {
          if (client === undefined) throw notOffered();
          const { url, state, sealed } = await client.begin(returnTo, request.query.again === 'true');
          reply.header('set-cookie', `${cookieOf(state)}=${sealed}; Max-Age=${OIDC_FLOW_SECONDS}; ${attributes}`);
          return await reply.redirect(url);
        } catch (error) {
          return reply.redirect(failed(request, error));
        }
      },
    );
    app.get(
      '/auth/oidc/callback',
      {
        config: { guard: 'public', anyQuery: true, rateLimit: LIMIT },
        schema: {
          summary: 'Where the provider sends the browser back',
          description: 'Leads to `/signin`.',
          response: { 302: z.null() },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const callback = new URL(request.url, config.publicUrl);
        const cookie = cookieOf(callback.searchParams.get('state') ?? '');
        reply.header('set-cookie', `${cookie}=; Max-Age=0; ${attributes}`);
        try {
          if (client === undefined) throw notOffered();
          const { identity, returnTo } = await client.finish(callback, readCookie(request, cookie));
          const user = await admitVerifiedEmail({ db, config, keys }, identity, returnTo);
          if (user.disabled_at !== null) throw userDisabled();
          const code = { method: 'oidc', lifetimeSeconds: CODE_SECONDS } as const;
          return await reply.redirect(await makeSignInLink({ db, config }, user, returnTo, code));
        } catch (error) {
          return reply.redirect(failed(request, error));
        }
      },
    );
  };

const notOffered = (): Problem =>
  new Problem('auth/operation-not-allowed', 'No OpenID Connect provider is set up here. Ask for a mailed link.');

/** One for each sign-in that was begun, so that two tabs do not disturb each other. */
const cookieOf = (state: string): string => `hx_oidc_${state.replace(/[^\w-]/g, '').slice(0, 16)}`;

function readCookie(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
