import type { AccessToken } from '@heterosis/contracts/people/auth';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { preparedRead } from '../../../platform/database/prepared-query.ts';
import { sharedRead } from '../../../platform/database/shared-read.ts';
import { lacksSecondFactor } from './second-factor/second-factors.queries.ts';

const COLUMNS = ['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

/** The projects that it is limited to and that still exist, as JSON; null without a limit. */
const limitedTo = sql<AccessToken['projects']>`case when project_ids is not null then coalesce(
  (select jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name)
    from projects where id = any(project_ids) and deleted_at is null), '[]') end`.as('projects');

/** Precision of `last_used_at` in seconds; writing it on every call would double the cost of a read. */
const LAST_USED_RESOLUTION_SECONDS = 60;

export interface NewAccessToken {
  userId: string;
  name: string;
  tokenHash: Buffer;
  scopes: AccessToken['scopes'];
  projectIds: string[] | null;
  expiresInDays: number;
}

export async function insertAccessToken(db: Queryable, token: NewAccessToken): Promise<AccessToken> {
  const row = await db
    .insertInto('access_tokens')
    .values({
      id: uuidv7(),
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      scopes: token.scopes,
      project_ids: token.projectIds,
      expires_at: sql`now() + make_interval(days => ${token.expiresInDays})`,
    })
    .returning([...COLUMNS, limitedTo])
    .executeTakeFirstOrThrow();
  return row as AccessToken;
}

/** Newest first, without the revoked ones. */
export async function listAccessTokens(
  db: Queryable,
  userId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<AccessToken[]> {
  const rows = await db
    .selectFrom('access_tokens')
    .select([...COLUMNS, limitedTo])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as AccessToken[];
}

/** Revokes a token; returns its name, or undefined when the user has no such token. */
export async function revokeAccessToken(db: Queryable, userId: string, id: string): Promise<string | undefined> {
  const row = await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export interface AccessTokenUser {
  user_id: string;
  email: string;
  disabled_at: string | null;
  scopes: string[];
  project_ids: string[] | null;
  expires_at: string;
  revoked_at: string | null;
  is_expired: boolean;
  /** Its last use was not recorded within the last minute. */
  was_used_long_ago: boolean;
  lacks_second_factor: boolean;
}

const usedLongAgo = sql<boolean>`(access_tokens.last_used_at is null
  or access_tokens.last_used_at < now() - make_interval(secs => ${sql.lit(LAST_USED_RESOLUTION_SECONDS)}))`;

/** The token with a hash, in hexadecimal, and its user; read on every request of a script. */
export const findAccessTokenUser: (db: Queryable, tokenHash: string) => Promise<AccessTokenUser | undefined> =
  sharedRead(
    preparedRead(
      (db, tokenHash) =>
        db
          .selectFrom('access_tokens')
          .innerJoin('users', 'users.id', 'access_tokens.user_id')
          .select([
            'users.id as user_id',
            'users.email',
            'users.disabled_at',
            'access_tokens.scopes',
            'access_tokens.project_ids',
            'access_tokens.expires_at',
            'access_tokens.revoked_at',
            sql<boolean>`access_tokens.expires_at <= now()`.as('is_expired'),
            usedLongAgo.as('was_used_long_ago'),
            lacksSecondFactor,
          ])
          .where(sql<boolean>`token_hash = decode(${tokenHash}, 'hex')`),
      ['hash of the token'],
    ),
  );

/** Records the use, at most once a minute. */
export async function touchAccessToken(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .where(usedLongAgo)
    .execute();
}
