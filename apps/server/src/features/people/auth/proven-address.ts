import { errors } from 'jose';
import { Problem } from '../../../platform/http/problem.ts';
import { type KeyRing, UnknownKeyError } from './sessions/key-ring.ts';
import { PROVEN_ADDRESS, PROVEN_ADDRESS_SECONDS } from './sessions/token-purposes.ts';

/** An address that a sign-in service has verified, and the page that its owner wanted. */
interface ProvenAddress {
  email: string;
  returnTo: string | undefined;
}

/** What the browser of somebody without an account gets, so that it can ask for one without another sign-in. */
export const writeProvenAddress = (keys: KeyRing, { email, returnTo }: ProvenAddress): Promise<string> =>
  keys.sign({ sub: email, return_to: returnTo }, { ...PROVEN_ADDRESS, expiresInSeconds: PROVEN_ADDRESS_SECONDS });

export async function readProvenAddress(keys: KeyRing, token: string): Promise<ProvenAddress> {
  try {
    const { sub, return_to: returnTo } = await keys.verify(token, PROVEN_ADDRESS);
    if (sub === undefined) throw new errors.JWTInvalid('no address');
    return { email: sub, returnTo: typeof returnTo === 'string' ? returnTo : undefined };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof UnknownKeyError)
      throw new Problem('auth/timeout', 'You came from the sign-in service too long ago. Sign in there again.', {
        cause: error,
      });
    throw error;
  }
}
