import type { FastifyRequest } from 'fastify';
import { errors } from 'jose';
import type { Config } from '../../../../platform/config/config.ts';
import type { Principal } from '../../../../platform/http/access.ts';
import { GUEST_TOKEN_PREFIX, guestToken } from '../../../../platform/http/guests.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { type KeyRing, UnknownKeyError } from '../sessions/key-ring.ts';
import { GUEST_TOKEN } from '../sessions/token-purposes.ts';

/** In no row of a table. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The guest who presents a token of `openGuestSession`; undefined for every other caller. */
export function authenticateGuest(
  { config, keys }: { config: Pick<Config, 'demo'>; keys: KeyRing },
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Principal> | undefined {
  const token = guestToken(request.headers);
  return token === undefined ? undefined : readGuest(config, keys, token);
}

async function readGuest({ demo }: Pick<Config, 'demo'>, keys: KeyRing, token: string): Promise<Principal> {
  try {
    if (!demo) throw new errors.JWTInvalid('no demo');
    const { project_id: projectId } = await keys.verify(token.slice(GUEST_TOKEN_PREFIX.length), GUEST_TOKEN);
    return {
      userId: NOBODY,
      email: '',
      sessionId: null,
      isGuest: true,
      scopes: null,
      projectIds: [String(projectId)],
      isFresh: false,
      lacksSecondFactor: false,
    };
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof UnknownKeyError)
      throw new Problem('auth/invalid-token', 'The visit of the demo has ended. Open the demo again.', { cause });
    throw cause;
  }
}
