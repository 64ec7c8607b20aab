import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import { preparedRead } from '../../../../platform/database/prepared-query.ts';
import { sharedRead } from '../../../../platform/database/shared-read.ts';
import { lacksSecondFactor } from '../second-factor/second-factors.queries.ts';

/** A session that is not refreshed for this long ends. */
const IDLE_DAYS = 30;
/** A session ends this long after the sign-in, however often it is refreshed. */
const LIFETIME_DAYS = 180;
/** Two tabs of one browser that ask at the same time are no thieves. */
const RACE_SECONDS = 30;
/** How long after a proof nobody is asked for another one. */
const FRESH_MINUTES = 15;

export interface NewSession {
  userId: string;
  refreshTokenHash: Buffer;
  userAgent: string | null;
}

/** Creates a session and returns its id. */
export async function insertSession(db: Queryable, session: NewSession): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: session.userId,
      refresh_token_hash: session.refreshTokenHash,
      user_agent: session.userAgent,
      expires_at: sql`now() + make_interval(days => ${IDLE_DAYS})`,
    })
    .execute();
  return id;
}

/** What became of a refresh token: the number of the one that is valid now. */
export type RefreshOutcome =
  | { is: 'refreshed'; id: string; userId: string; number: number }
  /** Somebody has an older token, which was replaced and whose successor is in use. */
  | { is: 'reused'; id: string; userId: string; userAgent: string | null }
  | { is: 'ended' };

/**
 * Replaces the refresh token of a live session and extends the session. The token before the newest gets the newest
 * again for some seconds, for two tabs that ask at once, and for as long as nothing shows that the newest has arrived.
 */
export async function advanceSession(
  trx: DatabaseTransaction,
  { tokenHash, number }: { tokenHash: Buffer; number: number },
): Promise<RefreshOutcome> {
  const session = await trx
    .selectFrom('sessions')
    .select(['id', 'user_id', 'user_agent', 'refresh_number', 'is_received'])
    .select(sql<boolean>`refreshed_at > now() - make_interval(secs => ${RACE_SECONDS})`.as('was_just_refreshed'))
    .where('refresh_token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst();
  // A number from the future is one of a time that the database was set back from.
  if (session === undefined || number > session.refresh_number) return { is: 'ended' };
  const isNewest = number === session.refresh_number;
  const mayAskAgain = number === session.refresh_number - 1 && (session.was_just_refreshed || !session.is_received);
  const { id, user_id: userId, user_agent: userAgent } = session;
  if (!isNewest && !mayAskAgain) return { is: 'reused', id, userId, userAgent };
  await trx
    .updateTable('sessions')
    .set({
      last_used_at: sql`now()`,
      expires_at: sql`least(now() + make_interval(days => ${IDLE_DAYS}), created_at + make_interval(days => ${LIFETIME_DAYS}))`,
      ...(isNewest ? { refresh_number: number + 1, refreshed_at: sql<string>`now()`, is_received: false } : {}),
    })
    .where('id', '=', id)
    .execute();
  return { is: 'refreshed', id, userId, number: isNewest ? number + 1 : session.refresh_number };
}

/** Notes that the newest tokens have arrived: an access token of this number was used. */
export async function markReceived(db: Queryable, sessionId: string, number: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ is_received: true })
    .where('id', '=', sessionId)
    .where('refresh_number', '=', number)
    .execute();
}

interface SessionUser {
  id: string;
  email: string;
  disabled_at: string | null;
  refresh_number: number;
  is_received: boolean;
  is_fresh: boolean;
  lacks_second_factor: boolean;
}

/** The live session and its user, by primary keys; read on every request. */
export const findSessionUser: (db: Queryable, sessionId: string) => Promise<SessionUser | undefined> = sharedRead(
  preparedRead(
    (db, sessionId) =>
      db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['users.id', 'users.email', 'users.disabled_at', 'refresh_number', 'is_received'])
        .select([
          sql<boolean>`proved_at > now() - make_interval(mins => ${sql.lit(FRESH_MINUTES)})`.as('is_fresh'),
          lacksSecondFactor,
        ])
        .where('sessions.id', '=', sessionId)
        .where('sessions.revoked_at', 'is', null)
        .where('sessions.expires_at', '>', sql<string>`now()`),
    ['session'],
  ),
);

export interface LiveSession {
  id: string;
  user_agent: string | null;
  created_at: string;
  last_used_at: string;
}

/** The live sessions of a user, newest first. */
export function listSessions(
  db: Queryable,
  userId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<LiveSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Ends live sessions of a user: the named one, or all but one. Returns those that it has ended. */
export function revokeSessions(
  db: Queryable,
  userId: string,
  which: { only: string } | { but: string },
): Promise<{ id: string; user_agent: string | null }[]> {
  return db
    .updateTable('sessions')
    .set({ revoked_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where('id', 'only' in which ? '=' : '!=', 'only' in which ? which.only : which.but)
    .returning(['id', 'user_agent'])
    .execute();
}

/** The session of a person who has just proved again who he or she is. */
export async function markProved(db: Queryable, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proved_at: sql`now()`, proof_code_hash: null, proof_expires_at: null, proof_tries: 0 })
    .where('id', '=', sessionId)
    .execute();
}

export async function updateProofCode(
  db: Queryable,
  sessionId: string,
  codeHash: Buffer,
  lifetimeSeconds: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({
      proof_code_hash: codeHash,
      proof_expires_at: sql<string>`now() + make_interval(secs => ${lifetimeSeconds})`,
      proof_tries: 0,
    })
    .where('id', '=', sessionId)
    .execute();
}

/** Counts a try and returns whether it was right; undefined when there is no code that may be tried. */
export async function tryProofCode(
  db: Queryable,
  sessionId: string,
  codeHash: Buffer,
  mostTries: number,
): Promise<boolean | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ proof_tries: sql<number>`proof_tries + 1` })
    .where('id', '=', sessionId)
    .where('proof_expires_at', '>', sql<string>`now()`)
    .where('proof_tries', '<', mostTries)
    .returning(sql<boolean>`proof_code_hash = ${codeHash}`.as('is_right'))
    .executeTakeFirst();
  return row?.is_right;
}
