import { type Endpoints, get, post } from '@heterosis/contracts/endpoint';
import * as z from 'zod';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind, type Http } from '../../../../platform/http/bind.ts';
import { makeSecret } from '../secret-text.ts';
import { AUTHORIZE_PATH, type FindProvider, TOKEN_PATH } from './openid-provider.ts';

/** The provider reads what is sent by itself. */
const UNREAD = { head: false, anyQuery: true, hasSecretAnswer: true } as const;
const METADATA = { summary: 'What the OpenID provider offers', ...UNREAD } as const;

const providerApi = {
  readOpenidMetadata: get('/.well-known/openid-configuration', 'public', METADATA),
  readOauthMetadata: get('/.well-known/oauth-authorization-server', 'public', METADATA),
  authorizeApp: get(AUTHORIZE_PATH, 'public', { summary: 'An app asks for access', ...UNREAD }),
  // Where our pages lead back to.
  finishAuthorization: get(`${AUTHORIZE_PATH}/:uid`, 'public', {
    summary: 'A person has answered the app',
    params: { uid: z.string().max(100) },
    ...UNREAD,
  }),
  giveAppToken: post(TOKEN_PATH, 'public', { summary: 'An app fetches its token', ...UNREAD }),
} as const satisfies Endpoints;

type ProviderCall = { findProvider: FindProvider };

/** The OpenID provider with which Field Book, Intercross and QBMS sign people in. */
export const openidProviderRoutes =
  (findProvider: FindProvider): FeatureRoutes =>
  (app, services) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const functions = {
      readOpenidMetadata: answer,
      readOauthMetadata: answer,
      authorizeApp: answer,
      finishAuthorization: answer,
      giveAppToken: answer,
    };
    return bind(providerApi, functions, { findProvider })(app, services);
  };

async function answer({ findProvider }: ProviderCall, _input: unknown, { request, reply }: Http): Promise<void> {
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
