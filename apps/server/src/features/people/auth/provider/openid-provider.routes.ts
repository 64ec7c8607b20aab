import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../../platform/http/app.ts';
import { makeSecret } from '../secret-text.ts';
import { AUTHORIZE_PATH, type FindProvider, TOKEN_PATH } from './openid-provider.ts';

const CALLS = [
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', AUTHORIZE_PATH],
  // Where our pages lead back to.
  ['GET', `${AUTHORIZE_PATH}/:uid`],
  ['POST', TOKEN_PATH],
] as const;

/** The OpenID provider with which Field Book, Intercross and QBMS sign people in. */
export const openidProviderRoutes =
  (findProvider: FindProvider): ((app: App) => void) =>
  (app) => {
    // The provider reads bodies itself.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const [method, url] of CALLS)
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { guard: 'public', anyQuery: true, hasSecretAnswer: true },
        handler: async (request, reply) => answer(findProvider, request, reply),
      });
  };

async function answer(findProvider: FindProvider, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const provider = await findProvider();
  const { raw } = request;
  const issuer = new URL(provider.issuer);
  raw.headers['x-forwarded-host'] = issuer.host;
  raw.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  // Nobody stays signed in at the provider: each request is allowed again in our pages, by whoever is signed in there.
  raw.headers.cookie = (raw.headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => !pair.startsWith('hx_connect_session'))
    .join('; ');
  raw.url = completed(raw.url ?? '');
  reply.hijack();
  await provider.callback()(raw, reply.raw);
}

/** Says what Field Book and QBMS leave unsaid when they ask for access. */
function completed(url: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  if (path !== AUTHORIZE_PATH) return url;
  const asked = new URLSearchParams(query);
  // QBMS names no scope.
  if (!asked.has('scope')) asked.set('scope', 'openid');
  // Field Book asks for an access token alone. The provider has dropped that as unsafe in web pages; it is answered as
  // a request for both tokens, which says the same and more.
  if (asked.get('response_type') === 'token') {
    asked.set('response_type', 'id_token token');
    if (!asked.has('nonce')) asked.set('nonce', makeSecret());
  }
  return `${path}?${asked}`;
}
