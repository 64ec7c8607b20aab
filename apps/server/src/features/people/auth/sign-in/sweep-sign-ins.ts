import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import { deleteExpiredRecords } from '../provider/openid-records.queries.ts';

/** Ended codes and sessions are kept this long, so that a returning person is told why. */
const KEPT_DAYS = 30;

/**
 * Deletes codes and sessions of all users that ended long ago, and expired requests of apps; safe to interrupt and
 * repeat.
 */
export async function sweepSignIns(db: Queryable): Promise<void> {
  const longAgo = sql<string>`now() - make_interval(days => ${KEPT_DAYS})`;
  await deleteExpiredRecords(db);
  await db.deleteFrom('sign_in_codes').where('expires_at', '<', longAgo).execute();
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<', longAgo), where('revoked_at', '<', longAgo)]))
    .execute();
}
