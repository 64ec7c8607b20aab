import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { ownSessionsApi } from '@heterosis/contracts/endpoints/people/own-sessions';
import type { TokenResult, UserSession } from '@heterosis/contracts/people/auth';
import { errors } from 'jose';
import { recordAccountEvent } from '../../../../platform/audit/audit-events.ts';
import type { Config } from '../../../../platform/config/config.ts';
import type { Database, DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Call, Caller, SignedInCall } from '../../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import { ensureUser, findUser, toSignedInUser, type User, updateEmailVerified } from '../../accounts/index.ts';
import { checkSecondFactor, hasSecondFactor } from '../second-factor/second-factor.service.ts';
import { hashSecret, makeSecret } from '../secret-text.ts';
import type { FirebaseVerifier } from '../sign-in/firebase-tokens.ts';
import { endMailedCodes } from '../sign-in/sign-in-codes.queries.ts';
import { prove, type SignInMethod } from '../sign-in/sign-in-drivers.ts';
import { userDisabled } from '../sign-in/sign-in-link.service.ts';
import { endSessions } from './end-sessions.ts';
import { type KeyRing, UnknownKeyError } from './key-ring.ts';
import { readRefreshToken, writeRefreshToken } from './refresh-tokens.ts';
import { advanceSession, insertSession, listSessions } from './sessions.queries.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECONDS, SECOND_FACTOR, SECOND_FACTOR_SECONDS } from './token-purposes.ts';

export interface SessionContext {
  db: Database;
  keys: KeyRing;
}

/** What signing in takes besides the services. */
export interface SignIn {
  keys: KeyRing;
  /** Null where Firebase Authentication is not offered. */
  firebase: FirebaseVerifier | null;
}

const MAX_USER_AGENT = 255;

/** Signs in by whatever proves who somebody is. With a second factor the code for it is asked for first. */
export async function getTokens(
  { services: { db, config }, userAgent, keys, firebase }: Call & Caller & SignIn,
  { body: grant }: InputOf<typeof authApi.getTokens>,
): Promise<TokenResult> {
  const context = { db, config, keys };
  if (grant.grant_type === 'refresh_token') return refreshSession(context, grant.refresh_token);
  if (grant.grant_type === 'second_factor') return signInBySecondFactor(context, grant, userAgent);
  const { user, method } = await prove({ ...context, firebase }, grant);
  return openSession(context, user, method, userAgent);
}

/** Opens a session for an address whose mailbox the caller has proved to read; a new address gets an account. */
export async function signInWithProvenEmail(
  context: SessionContext,
  email: string,
  userAgent: string | undefined,
): Promise<TokenResult> {
  const { id } = await ensureUser(context.db, email);
  return openSession(context, await updateEmailVerified(context.db, id), 'invitation', userAgent);
}

/** Issues the next tokens of a session. A token that was replaced before ends it: somebody has a copy (decision 7). */
async function refreshSession(
  { db, keys, config }: SessionContext & { config: Pick<Config, 'secretKey'> },
  text: string,
): Promise<TokenResult> {
  const token = readRefreshToken(config, text);
  if (token === undefined) throw sessionEnded();
  const outcome = await db.transaction().execute(async (trx) => {
    const found = await advanceSession(trx, { tokenHash: hashSecret(token.root), number: token.number });
    if (found.is !== 'reused') return found;
    const owner = await findUser(trx, found.userId);
    if (owner !== undefined) {
      const actor = { userId: owner.id, email: owner.email };
      await endSessions(trx, actor, { only: found.id }, 'session.copied');
    }
    return found;
  });
  if (outcome.is === 'reused')
    throw new Problem(
      'auth/user-token-expired',
      'This session was ended, because its key was used a second time after it had been replaced: somebody may have a copy. Sign in again, and look at your sessions under My account.',
    );
  const user = outcome.is === 'ended' ? undefined : await findUser(db, outcome.userId);
  if (outcome.is === 'ended' || user === undefined) throw sessionEnded();
  if (user.disabled_at !== null) throw userDisabled();
  const { id, number } = outcome;
  return issueTokens(keys, user, { id, number, refreshToken: writeRefreshToken(config, { ...token, number }) });
}

const sessionEnded = (): Problem => new Problem('auth/user-token-expired', 'Your session has ended. Sign in again.');

/** Ends the session and notifies the other tabs. */
export async function signOut({ services: { db }, principal }: SignedInCall): Promise<void> {
  const { sessionId } = principal;
  if (sessionId === null)
    throw new Problem(
      'auth/insufficient-scope',
      'A personal access token has no session to end. Delete the token under My account instead.',
    );
  await db.transaction().execute((trx) => endSessions(trx, principal, { only: sessionId }, 'session.ended'));
}

/** The sessions of the caller, newest first. */
export async function listOwnSessions(
  { services: { db }, principal: { userId, sessionId } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof ownSessionsApi.listOwnSessions>,
): Promise<Page<UserSession>> {
  const rows = await listSessions(db, userId, { limit: limit + 1, before: decodeIdCursor(cursor) });
  return toPage(
    rows.map((row) => ({ ...row, is_current: row.id === sessionId })),
    limit,
    ({ id }) => [id],
  );
}

/** Signs the caller out on another device. */
export async function endOwnSession(
  { services: { db }, principal }: SignedInCall,
  { id }: InputOf<typeof ownSessionsApi.endOwnSession>,
): Promise<void> {
  const end = (trx: DatabaseTransaction) => endSessions(trx, principal, { only: id }, 'session.revoked');
  const ended = isUuid(id) ? await db.transaction().execute(end) : 0;
  if (ended === 0) throw notFound('This session');
}

/** Signs the caller out everywhere but here. */
export async function endOtherSessions({ services: { db }, principal }: SignedInCall): Promise<void> {
  const { sessionId } = principal;
  if (sessionId !== null)
    await db.transaction().execute((trx) => endSessions(trx, principal, { but: sessionId }, 'session.revoked'));
}

async function signInBySecondFactor(
  context: SessionContext & { config: Pick<Config, 'secretKey'> },
  { token, code }: { token: string; code: string },
  userAgent: string | undefined,
): Promise<TokenResult> {
  const { userId, method } = await readFirstProof(context.keys, token);
  const user = await findUser(context.db, userId);
  if (user === undefined) throw firstProofEnded();
  await checkSecondFactor(context, { userId, email: user.email }, code);
  return startSession(context, user, method, userAgent);
}

async function readFirstProof(keys: KeyRing, token: string): Promise<{ userId: string; method: SignInMethod }> {
  try {
    const { sub, method } = await keys.verify(token, SECOND_FACTOR);
    if (sub === undefined) throw new errors.JWTInvalid('no subject');
    return { userId: sub, method: method as SignInMethod };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof UnknownKeyError) throw firstProofEnded(error);
    throw error;
  }
}

const firstProofEnded = (cause?: unknown): Problem =>
  new Problem(
    'auth/timeout',
    `The code was not entered within ${SECOND_FACTOR_SECONDS / 60} minutes of the first step. Sign in from the start.`,
    { cause },
  );

async function openSession(
  context: SessionContext,
  user: User,
  method: SignInMethod,
  userAgent: string | undefined,
): Promise<TokenResult> {
  if (user.disabled_at !== null) throw userDisabled();
  if (!(await hasSecondFactor(context.db, user.id))) return startSession(context, user, method, userAgent);
  const token = await context.keys.sign(
    { sub: user.id, method },
    { ...SECOND_FACTOR, expiresInSeconds: SECOND_FACTOR_SECONDS },
  );
  throw new Problem(
    'auth/multi-factor-auth-required',
    'This account has a second factor. Enter the code of your authenticator app.',
    { details: { second_factor_token: token } },
  );
}

async function startSession(
  context: SessionContext,
  user: User,
  method: SignInMethod,
  userAgent: string | undefined,
): Promise<TokenResult> {
  if (user.disabled_at !== null) throw userDisabled();
  const refreshToken = makeSecret();
  const device = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
  const id = await context.db.transaction().execute(async (trx) => {
    const sessionId = await insertSession(trx, {
      userId: user.id,
      refreshTokenHash: hashSecret(refreshToken),
      userAgent: device,
    });
    // Whoever finds an older link in the mailbox finds one that does not work.
    await endMailedCodes(trx, user.id);
    await recordAccountEvent(trx, {
      action: 'session.started',
      actor: { userId: user.id, email: user.email },
      targetType: 'session',
      targetId: sessionId,
      details: { method, device },
    });
    return sessionId;
  });
  return issueTokens(context.keys, user, { id, number: 0, refreshToken });
}

/** `number` of the refresh token: an access token that is used shows that its answer has arrived. */
async function issueTokens(
  keys: KeyRing,
  user: User,
  { id, number, refreshToken }: { id: string; number: number; refreshToken: string },
): Promise<TokenResult> {
  const accessToken = await keys.sign(
    { sub: user.id, sid: id, number },
    { ...ACCESS_TOKEN, expiresInSeconds: ACCESS_TOKEN_SECONDS },
  );
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: toSignedInUser(user),
  };
}
