import { LRUCache } from 'lru-cache';
import Provider, { type Configuration } from 'oidc-provider';
import type { Database } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { requestOrigin } from '../../../../platform/http/hooks/request-origin.ts';
import { findUser } from '../../accounts/index.ts';
import { makeSecret } from '../secret-text.ts';
import { PERSONAL_TOKEN_PREFIX } from '../sessions/authenticate.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { APPS, appOf, clientOf } from './apps.ts';
import { APP_TOKEN_DAYS, OpenidAdapter } from './openid-adapter.ts';

export const AUTHORIZE_PATH = '/brapi/oauth/authorize';
export const TOKEN_PATH = '/brapi/oauth/token';
/** Below it a person answers in our pages; only there does the browser send the cookie of a request. */
const CONNECTIONS_PATH = '/api/auth/connections';

/** Seconds to sign in and to allow it. */
const REQUEST_SECONDS = 60 * 60;
const CODE_SECONDS = 60;

/** The provider of the address by which a request came. */
export type FindProvider = () => Promise<Provider>;

/** Addresses by which one server is reached when PUBLIC_URL is not set. */
const MOST_PROVIDERS = 8;

export function createProviders(
  { db, config, logger }: Pick<Services, 'db' | 'config' | 'logger'>,
  keys: KeyRing,
): FindProvider {
  const providers = new LRUCache<string, Provider>({ max: MOST_PROVIDERS });
  return async () => {
    const issuer = requestOrigin() ?? config.publicUrl;
    const key = await keys.findSigningKey();
    const id = `${issuer} ${key.kid}`;
    const known = providers.get(id);
    if (known !== undefined) return known;
    const provider = makeProvider(db, issuer, key);
    provider.on('server_error', (_context, error) => logger.error({ err: error }, 'the OpenID provider failed'));
    providers.set(id, provider);
    return provider;
  };
}

function makeProvider(db: Database, issuer: string, key: Awaited<ReturnType<KeyRing['findSigningKey']>>): Provider {
  const provider = new Provider(issuer, configurationOf(db, key));
  // The address of the issuer is written into the request before the provider sees it.
  provider.proxy = true;
  // As all tokens that a person can delete under My account, and that scanners for leaked secrets know.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format?: string }) {
      this.format = 'opaque';
      return PERSONAL_TOKEN_PREFIX + makeSecret();
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { oidc } = context;
    const body = context.body as { access_token?: string; id_token?: string } | undefined;
    if (oidc?.route === 'token' && body?.access_token !== undefined && appOf(oidc.client?.clientId)?.sendsIdToken)
      body.id_token = body.access_token;
  });
  return provider;
}

const configurationOf = (db: Database, key: Awaited<ReturnType<KeyRing['findSigningKey']>>): Configuration => ({
  clients: APPS.map(clientOf),
  adapter: (model) => new OpenidAdapter(db, model),
  jwks: { keys: [key] },
  responseTypes: ['code', 'id_token token'],
  scopes: ['openid'],
  claims: { openid: ['sub'], email: ['email'] },
  pkce: { required: () => true },
  routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH, jwks: '/.well-known/jwks.json' },
  cookies: {
    names: { interaction: 'hx_connect', resume: 'hx_connect_resume', session: 'hx_connect_session' },
    short: { httpOnly: true, sameSite: 'lax', overwrite: true, path: CONNECTIONS_PATH },
    long: { httpOnly: true, sameSite: 'lax', overwrite: true, path: AUTHORIZE_PATH },
  },
  interactions: { url: (_context, { uid }) => `/connect/${uid}` },
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    dPoP: { enabled: false },
  },
  ttl: {
    AccessToken: APP_TOKEN_DAYS * 24 * 60 * 60,
    AuthorizationCode: CODE_SECONDS,
    Grant: REQUEST_SECONDS,
    IdToken: REQUEST_SECONDS,
    Interaction: REQUEST_SECONDS,
    Session: REQUEST_SECONDS,
  },
  expiresWithSession: async () => false,
  findAccount: async (_context, id) => {
    const user = await findUser(db, id);
    if (user === undefined || user.disabled_at !== null) return undefined;
    return { accountId: id, claims: async () => ({ sub: id, email: user.email }) };
  },
  // Seen by a person only when the app did not say correctly where to go back to.
  renderError: (context, { error, error_description: description }) => {
    context.type = 'text/plain; charset=utf-8';
    context.body = `The app cannot be connected: ${description ?? error}. Start again in the app.\n`;
  },
});
