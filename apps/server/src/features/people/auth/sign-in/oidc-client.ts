import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import * as openid from 'openid-client';
import type { Config } from '../../../../platform/config/config.ts';
import { deriveKey } from '../../../../platform/config/secrets.ts';
import type { OidcConfig } from '../../../../platform/config/sign-in-config.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { boundedFetch } from '../../../../platform/outgoing/bounded-fetch.ts';
import type { ProviderIdentity } from './admit.ts';

/** How long one may take at the provider. */
export const OIDC_FLOW_SECONDS: number = 10 * 60;
const TIMEOUT_SECONDS = 10;

/** What has to come back to the same browser. It waits in a sealed cookie, so that any server can take it up. */
interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string | null;
}

export interface OidcClient {
  /**
   * The provider's address to go to, and the sealed flow for the cookie of this state. `again`: the provider asks who
   * it is, also when it knows.
   */
  begin(returnTo: string | null, again: boolean): Promise<{ url: string; state: string; sealed: string }>;
  /** Who came back with this address. Throws problems with `auth/…` codes. */
  finish(callback: URL, sealed: string | undefined): Promise<{ identity: ProviderIdentity; returnTo: string | null }>;
}

/** Authorization code flow with PKCE (RFC 7636), state and nonce (OpenID Connect Core 1.0, 3.1). */
export function createOidcClient(oidc: OidcConfig, config: Pick<Config, 'publicUrl' | 'secretKey'>): OidcClient {
  const key = deriveKey(config.secretKey, 'oidc-flow');
  const redirectUri = `${config.publicUrl}/api/auth/oidc/callback`;
  let discovered: Promise<openid.Configuration> | undefined;
  const discover = (): Promise<openid.Configuration> => {
    // A provider that was away at the first sign-in is asked again at the next.
    discovered ??= discoverProvider(oidc).catch((error: unknown) => {
      discovered = undefined;
      throw asProblem(error);
    });
    return discovered;
  };

  return {
    async begin(returnTo, again) {
      const provider = await discover();
      const flow: Flow = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        returnTo,
      };
      const url = openid.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      });
      const sealed = await new EncryptJWT({ ...flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${OIDC_FLOW_SECONDS} s`)
        .encrypt(key);
      return { url: url.href, state: flow.state, sealed };
    },
    async finish(callback, sealed) {
      const flow = await unsealFlow(sealed, key);
      const provider = await discover();
      try {
        const tokens = await openid.authorizationCodeGrant(provider, new URL(redirectUri + callback.search), {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
          idTokenExpected: true,
        });
        return { identity: await identityOf(provider, tokens), returnTo: flow.returnTo };
      } catch (error) {
        throw asProblem(error);
      }
    },
  };
}

async function discoverProvider({ issuer, clientId, clientSecret }: OidcConfig): Promise<openid.Configuration> {
  const provider = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    [openid.customFetch]: boundedFetch,
    // The configuration allows plain http on this machine only.
    execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
  });
  // Verifies the signature of ID tokens too, besides the connection that they come by.
  openid.enableNonRepudiationChecks(provider);
  return provider;
}

type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;

/** Some providers put the address into the ID token, others only into the user info. */
async function identityOf(provider: openid.Configuration, tokens: Tokens): Promise<ProviderIdentity> {
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider sent no ID token');
  const info: Record<string, unknown> =
    claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
      ? await openid.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : claims;
  const { email, email_verified, name } = info;
  return {
    email: typeof email === 'string' ? email : undefined,
    // Some providers send the text.
    emailVerified: email_verified === true || email_verified === 'true',
    name: typeof name === 'string' ? name : undefined,
  };
}

async function unsealFlow(sealed: string | undefined, key: Uint8Array): Promise<Flow> {
  try {
    return (await jwtDecrypt<Flow>(sealed ?? '', key)).payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new Problem(
      'auth/timeout',
      'This sign-in was started in another browser or more than ten minutes ago. Start again.',
      { cause: error },
    );
  }
}

function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied')
    return new Problem('auth/user-cancelled', 'You did not let the sign-in service pass on who you are.', {
      cause: error,
    });
  const { code } = error as { code?: unknown };
  // `fetch` fails with a TypeError; the library wraps a provider that does not answer in time.
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT' || (error as Error)?.name === 'TimeoutError')
    return new Problem('auth/network-request-failed', 'The sign-in service cannot be reached. Try again later.', {
      cause: error,
    });
  return new Problem('auth/internal-error', 'The sign-in service gave an answer that cannot be used.', {
    cause: error,
  });
}
