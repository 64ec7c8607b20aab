import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';
import { preparedRead } from '../../platform/database/prepared-query.ts';
import { sharedRead } from '../../platform/database/shared-read.ts';

/** A session that is not refreshed for this long ends. */
const IDLE_DAYS = 30;
/** A session ends this long after the sign-in, however often it is refreshed. */
const LIFETIME_DAYS = 180;

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

/** Finds and extends the live session of a refresh token; undefined when there is none. */
export function touchSession(
  db: Queryable,
  refreshTokenHash: Buffer,
): Promise<{ id: string; user_id: string } | undefined> {
  return db
    .updateTable('sessions')
    .set({
      last_used_at: sql`now()`,
      expires_at: sql`least(now() + make_interval(days => ${IDLE_DAYS}), created_at + make_interval(days => ${LIFETIME_DAYS}))`,
    })
    .where('refresh_token_hash', '=', refreshTokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['id', 'user_id'])
    .executeTakeFirst();
}

interface SessionUser {
  id: string;
  email: string;
  disabled_at: string | null;
}

/** The live session and its user, by primary keys; read on every request. */
export const findSessionUser: (db: Queryable, sessionId: string) => Promise<SessionUser | undefined> = sharedRead(
  preparedRead(
    (db, sessionId) =>
      db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['users.id', 'users.email', 'users.disabled_at'])
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
