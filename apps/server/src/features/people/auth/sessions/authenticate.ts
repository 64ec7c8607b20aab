import type { FastifyRequest } from 'fastify';
import { errors } from 'jose';
import type { Database } from '../../../../platform/database/database.ts';
import type { Principal } from '../../../../platform/http/access.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { findAccessTokenUser, touchAccessToken } from '../access-tokens.queries.ts';
import { hashSecret } from '../secret-text.ts';
import { userDisabled } from '../sign-in/sign-in-link.service.ts';
import { type KeyRing, UnknownKeyError } from './key-ring.ts';
import { findSessionUser, markReceived } from './sessions.queries.ts';
import { ACCESS_TOKEN } from './token-purposes.ts';

export const PERSONAL_TOKEN_PREFIX = 'hx_';

/** A caller and the expiry of the token. */
export interface Authenticated extends Principal {
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * Identifies the caller of a request. Verifies the signature of the access token and looks up its session by primary
 * key each time, so that a sign-out takes effect at once on every machine. This indexed read costs less than
 * invalidating a cache; requests of one client at the same moment share it.
 */
export async function authenticate(
  db: Database,
  keys: KeyRing,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Authenticated | undefined> {
  const token = readBearerToken(request);
  if (token === undefined) return undefined;
  return token.startsWith(PERSONAL_TOKEN_PREFIX)
    ? authenticatePersonal(db, token)
    : authenticateSession(db, keys, token);
}

/** For requests that last for hours: whether the session or personal token is still valid. */
export async function isStillSignedIn(
  db: Database,
  keys: KeyRing,
  principal: Principal,
  request: FastifyRequest,
): Promise<boolean> {
  if (principal.sessionId !== null) {
    const user = await findSessionUser(db, principal.sessionId);
    return user !== undefined && user.disabled_at === null && !user.lacks_second_factor;
  }
  try {
    const again = await authenticate(db, keys, request);
    return again !== undefined && !again.lacksSecondFactor;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function readBearerToken(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined)
    throw new Problem('auth/invalid-token', 'The Authorization header must be "Bearer" and a token.');
  return token;
}

async function authenticateSession(db: Database, keys: KeyRing, token: string): Promise<Authenticated> {
  const { sessionId, number, expiresAt } = await readAccessToken(keys, token);
  const user = await findSessionUser(db, sessionId);
  if (user === undefined) throw new Problem('auth/user-token-expired', 'Your session has ended. Sign in again.');
  if (user.disabled_at !== null) throw userDisabled();
  if (!user.is_received && number === user.refresh_number) await markReceived(db, sessionId, number);
  return {
    userId: user.id,
    email: user.email,
    sessionId,
    scopes: null,
    projectIds: null,
    isFresh: user.is_fresh,
    lacksSecondFactor: user.lacks_second_factor,
    expiresAt,
  };
}

async function readAccessToken(
  keys: KeyRing,
  token: string,
): Promise<{ sessionId: string; number: unknown; expiresAt: string }> {
  try {
    const { sid, number, exp } = await keys.verify(token, ACCESS_TOKEN);
    if (typeof sid !== 'string' || exp === undefined) throw new errors.JWTInvalid('no session');
    return { sessionId: sid, number, expiresAt: new Date(exp * 1000).toISOString() };
  } catch (error) {
    // Not `user-token-expired`: the session may be alive, and the client can refresh the token.
    if (error instanceof errors.JWTExpired)
      throw new Problem('auth/invalid-token', 'The access token has expired. Refresh it and try again.', {
        cause: error,
      });
    if (error instanceof errors.JOSEError || error instanceof UnknownKeyError)
      throw new Problem('auth/invalid-token', 'The access token is not one that this service has issued.', {
        cause: error,
      });
    throw error;
  }
}

async function authenticatePersonal(db: Database, token: string): Promise<Authenticated> {
  const tokenHash = hashSecret(token);
  const found = await findAccessTokenUser(db, tokenHash.toString('hex'));
  if (found === undefined || found.revoked_at !== null)
    throw new Problem('auth/invalid-token', 'This personal access token does not exist or was deleted.');
  if (found.is_expired)
    throw new Problem('auth/invalid-token', 'This personal access token has expired. Make a new one under My account.');
  if (found.disabled_at !== null) throw userDisabled();
  if (found.was_used_long_ago) await touchAccessToken(db, tokenHash);
  return {
    userId: found.user_id,
    email: found.email,
    sessionId: null,
    scopes: found.scopes,
    projectIds: found.project_ids,
    isFresh: false,
    lacksSecondFactor: found.lacks_second_factor,
    expiresAt: found.expires_at,
  };
}
