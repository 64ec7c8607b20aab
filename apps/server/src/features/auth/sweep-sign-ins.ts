import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';

/** For so long a code or a session that has ended is kept, so that a person who comes back is told why. */
const KEPT_DAYS = 30;

/** Deletes codes and sessions that ended long ago. Over all people; may be interrupted and done again. */
export async function sweepSignIns(db: Queryable): Promise<void> {
  const longAgo = sql<string>`now() - make_interval(days => ${KEPT_DAYS})`;
  await db.deleteFrom('sign_in_codes').where('expires_at', '<', longAgo).execute();
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<', longAgo), where('revoked_at', '<', longAgo)]))
    .execute();
}
