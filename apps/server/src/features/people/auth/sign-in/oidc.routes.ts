import type { InputOf } from '@heterosis/contracts/endpoint';
import { oidcApi } from '@heterosis/contracts/endpoints/people/auth';
import type { Config } from '../../../../platform/config/config.ts';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind, type Call, type Http } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { admitVerifiedEmail } from './admit.ts';
import { createOidcClient, OIDC_FLOW_SECONDS, type OidcClient } from './oidc-client.ts';
import { checkReturnTo, makeSignInLink, userDisabled } from './sign-in-link.service.ts';

const PATH = '/api/auth/oidc';
/** The browser exchanges the code at once. */
const CODE_SECONDS = 60;

interface OidcCall extends Call {
  keys: KeyRing;
  /** Undefined where no provider is set up. */
  client: OidcClient | undefined;
}

/**
 * Sign-in by an OpenID Connect provider. The browser goes to the provider and comes back with its answer; it then gets
 * a one-time code of ours, as from a mailed link, and failures as `auth/…` codes.
 */
export const oidcRoutes =
  (keys: KeyRing): FeatureRoutes =>
  (app, services) => {
    const { config } = services;
    const client = config.signIn.oidc === null ? undefined : createOidcClient(config.signIn.oidc, config);
    return bind(oidcApi, { startOidc, finishOidc }, { keys, client })(app, services);
  };

async function startOidc(
  { services: { config }, client }: OidcCall,
  { query: { return_to, again } }: InputOf<typeof oidcApi.startOidc>,
  http: Http,
): Promise<Http['reply']> {
  const returnTo = return_to === undefined ? null : checkReturnTo(return_to);
  return await lead(http, config, async () => {
    if (client === undefined) throw notOffered();
    const { url, state, sealed } = await client.begin(returnTo, again === 'true');
    setCookie(http, config, `${cookieOf(state)}=${sealed}; Max-Age=${OIDC_FLOW_SECONDS}`);
    return url;
  });
}

async function finishOidc(
  { services: { db, config }, keys, client }: OidcCall,
  _input: object,
  http: Http,
): Promise<Http['reply']> {
  const callback = new URL(http.request.url, config.publicUrl);
  const cookie = cookieOf(callback.searchParams.get('state') ?? '');
  setCookie(http, config, `${cookie}=; Max-Age=0`);
  return await lead(http, config, async () => {
    if (client === undefined) throw notOffered();
    const { identity, returnTo } = await client.finish(callback, readCookie(http, cookie));
    const user = await admitVerifiedEmail({ db, config, keys }, identity, returnTo);
    if (user.disabled_at !== null) throw userDisabled();
    const code = { method: 'oidc', lifetimeSeconds: CODE_SECONDS } as const;
    return await makeSignInLink({ db, config }, user, returnTo, code);
  });
}

/** Leads the browser on, or with the code of a failure to the page for signing in. */
async function lead({ request, reply }: Http, { publicUrl }: Config, find: () => Promise<string>) {
  reply.header('cache-control', 'no-store');
  try {
    return reply.redirect(await find());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    request.log.warn({ err: error }, 'a sign-in by OpenID Connect failed');
    const proof = error.details?.['proof'];
    const query = new URLSearchParams({ error: error.code, ...(typeof proof === 'string' ? { proof } : {}) });
    return reply.redirect(`${publicUrl}/signin?${query}`);
  }
}

function setCookie({ reply }: Http, { publicUrl }: Config, cookie: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  reply.header('set-cookie', `${cookie}; Path=${PATH}; HttpOnly; SameSite=Lax${secure}`);
}

const notOffered = (): Problem =>
  new Problem('auth/operation-not-allowed', 'No OpenID Connect provider is set up here. Ask for a mailed link.');

/** One for each sign-in that was begun, so that two tabs do not disturb each other. */
const cookieOf = (state: string): string => `hx_oidc_${state.replace(/[^\w-]/g, '').slice(0, 16)}`;

function readCookie({ request }: Http, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
