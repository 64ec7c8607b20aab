import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import * as z from 'zod';
import type { FirebaseConfig } from '../../../../platform/config/sign-in-config.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { boundedFetch } from '../../../../platform/outgoing/bounded-fetch.ts';
import type { ProviderIdentity } from './admit.ts';

/** Says whose ID token it is; throws a problem for one that Firebase did not issue for this project. */
export type FirebaseVerifier = (idToken: string) => Promise<ProviderIdentity>;

/** Keys of the accounts that sign ID tokens (Firebase, "Verify ID tokens using a third-party JWT library"). */
const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
const TIMEOUT_MS = 10_000;

export function createFirebaseVerifier(config: FirebaseConfig | null, keysUrl = GOOGLE_KEYS): FirebaseVerifier | null {
  if (config === null) return null;
  const { projectId, emulatorHost } = config;
  return emulatorHost === undefined
    ? verifyWithKeys(projectId, keysUrl)
    : (idToken) => askEmulator(emulatorHost, config.apiKey, idToken);
}

function verifyWithKeys(projectId: string, keysUrl: string): FirebaseVerifier {
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: boundedFetch,
  });
  return async (idToken) => {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        algorithms: ['RS256'],
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
      });
      const { email, email_verified, name } = payload;
      return {
        email: typeof email === 'string' ? email : undefined,
        emailVerified: email_verified === true,
        name: typeof name === 'string' ? name : undefined,
      };
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || error instanceof TypeError || isKeysFailure(error))
        throw new Problem('auth/network-request-failed', 'The keys of Firebase cannot be read. Try again later.', {
          cause: error,
        });
      if (error instanceof errors.JWTExpired)
        throw new Problem('auth/invalid-id-token', 'The ID token has expired. Sign in again.', { cause: error });
      if (error instanceof errors.JOSEError)
        throw new Problem('auth/invalid-id-token', 'Firebase did not issue this ID token for this service.', {
          cause: error,
        });
      throw error;
    }
  };
}

/** jose has no class of its own for an answer that is no key set. */
const isKeysFailure = (error: unknown): boolean =>
  error instanceof errors.JOSEError && /JSON Web Key Set HTTP response/.test(error.message);

const emulatedAccount = z.object({
  users: z
    .array(
      z.object({
        email: z.string().optional(),
        emailVerified: z.boolean().optional(),
        displayName: z.string().optional(),
      }),
    )
    .min(1),
});

/** The emulator signs nothing, so it is asked whether the token is one of its own. */
async function askEmulator(host: string, apiKey: string, idToken: string): Promise<ProviderIdentity> {
  const answer = await boundedFetch(`http://${host}/identitytoolkit.googleapis.com/v1/accounts:lookup?key=${apiKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ idToken }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Problem('auth/network-request-failed', 'The Auth emulator cannot be reached.', { cause });
  });
  const found = emulatedAccount.safeParse(await answer.json());
  const [user] = found.data?.users ?? [];
  if (user === undefined) throw new Problem('auth/invalid-id-token', 'The Auth emulator did not issue this ID token.');
  return { email: user.email, emailVerified: user.emailVerified === true, name: user.displayName };
}
