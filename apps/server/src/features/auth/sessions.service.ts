import type { TokenResult, UserSession } from '@heterosis/contracts/auth';
import type { Page } from '@heterosis/contracts/common';
import { recordAccountEvent } from '../../platform/audit/audit-events.ts';
import type { Database } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/access.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import { ensureUser, findUser, toSignedInUser, type User, updateEmailVerified } from '../accounts/index.ts';
import type { KeyRing } from './key-ring.ts';
import { hashSecret, makeSecret } from './secret-text.ts';
import { insertSession, listSessions, revokeSessions, touchSession } from './sessions.queries.ts';
import { type DriverContext, prove, type SignInGrant, type SignInMethod } from './sign-in-drivers.ts';
import { userDisabled } from './sign-in-link.service.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECONDS } from './token-purposes.ts';

export interface SessionContext {
  db: Database;
  keys: KeyRing;
}

const MAX_USER_AGENT = 255;

/** Signs in by whatever proves who somebody is. */
export async function signIn(
  context: DriverContext,
  grant: SignInGrant,
  userAgent: string | undefined,
): Promise<TokenResult> {
  const { user, method } = await prove(context, grant);
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

/** Issues a new access token. The refresh token stays the same, because several tabs may use it at the same time. */
export async function refreshSession(context: SessionContext, refreshToken: string): Promise<TokenResult> {
  const session = await touchSession(context.db, hashSecret(refreshToken));
  const user = session === undefined ? undefined : await findUser(context.db, session.user_id);
  if (session === undefined || user === undefined)
    throw new Problem('auth/user-token-expired', 'Your session has ended. Sign in again.');
  if (user.disabled_at !== null) throw userDisabled();
  return issueTokens(context.keys, user, session.id, refreshToken);
}

/** Ends the session and notifies the other tabs. */
export async function signOut(db: Database, principal: Principal): Promise<void> {
  const { sessionId } = principal;
  if (sessionId === null)
    throw new Problem(
      'auth/insufficient-scope',
      'A personal access token has no session to end. Delete the token under My account instead.',
    );
  await endSessions(db, principal, { only: sessionId }, 'session.ended');
}

/** The sessions of the caller, newest first. */
export async function listOwnSessions(
  db: Database,
  { userId, sessionId }: Principal,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<UserSession>> {
  const rows = await listSessions(db, userId, { limit: limit + 1, before: decodeIdCursor(cursor) });
  return toPage(
    rows.map((row) => ({ ...row, is_current: row.id === sessionId })),
    limit,
    ({ id }) => [id],
  );
}

/** Signs the caller out on another device. */
export async function endOwnSession(db: Database, principal: Principal, id: string): Promise<void> {
  const ended = isUuid(id) ? await endSessions(db, principal, { only: id }, 'session.revoked') : 0;
  if (ended === 0) throw notFound('This session');
}

/** Signs the caller out everywhere but here. */
export async function endOtherSessions(db: Database, principal: Principal): Promise<void> {
  if (principal.sessionId !== null) await endSessions(db, principal, { but: principal.sessionId }, 'session.revoked');
}

/** Ends sessions and tells their tabs; returns how many. */
async function endSessions(
  db: Database,
  principal: Principal,
  which: Parameters<typeof revokeSessions>[2],
  action: 'session.ended' | 'session.revoked',
): Promise<number> {
  const { userId } = principal;
  return db.transaction().execute(async (trx) => {
    const ended = await revokeSessions(trx, userId, which);
    for (const { id, user_agent: device } of ended) {
      await recordAccountEvent(trx, {
        action,
        actor: principal,
        targetType: 'session',
        targetId: id,
        details: { device },
      });
      await publishEvent(trx, { type: 'session', id, project_id: null, organization_id: null, user_ids: [userId] });
    }
    return ended.length;
  });
}

async function openSession(
  context: SessionContext,
  user: User,
  method: SignInMethod,
  userAgent: string | undefined,
): Promise<TokenResult> {
  if (user.disabled_at !== null) throw userDisabled();
  const refreshToken = makeSecret();
  const device = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
  const sessionId = await context.db.transaction().execute(async (trx) => {
    const id = await insertSession(trx, {
      userId: user.id,
      refreshTokenHash: hashSecret(refreshToken),
      userAgent: device,
    });
    await recordAccountEvent(trx, {
      action: 'session.started',
      actor: { userId: user.id, email: user.email },
      targetType: 'session',
      targetId: id,
      details: { method, device },
    });
    return id;
  });
  return issueTokens(context.keys, user, sessionId, refreshToken);
}

async function issueTokens(keys: KeyRing, user: User, sessionId: string, refreshToken: string): Promise<TokenResult> {
  const accessToken = await keys.sign(
    { sub: user.id, sid: sessionId },
    { ...ACCESS_TOKEN, expiresInSeconds: ACCESS_TOKEN_SECONDS },
  );
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: toSignedInUser(user),
  };
}
