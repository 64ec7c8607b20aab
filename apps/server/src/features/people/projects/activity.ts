import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Activity } from '../../../platform/http/access.ts';
import type { Logger } from '../../../platform/logging/logger.ts';

/** Times of activity are this exact; within it, each process writes the activity of a person in a place once. */
const EXACT_MS = 5 * 60_000;
/** Entries kept in memory before all are forgotten, which costs some more writes. */
const MOST_ENTRIES = 50_000;

/**
 * Records when a person was last active in an organization and its projects, and when somebody last changed a project.
 * A failure to write it is logged and fails no request.
 */
export function createActivityRecorder(db: Database, logger: Logger): (activity: Activity) => Promise<void> {
  const recorded = new Map<string, number>();
  return async (activity) => {
    const key = Object.values(activity).join(' ');
    const now = Date.now();
    if (now - (recorded.get(key) ?? Number.NEGATIVE_INFINITY) < EXACT_MS) return;
    if (recorded.size >= MOST_ENTRIES) recorded.clear();
    recorded.set(key, now);
    try {
      await writeActivity(db, activity);
    } catch (error) {
      recorded.delete(key);
      logger.warn({ err: error }, 'an activity was not recorded');
    }
  };
}

async function writeActivity(db: Database, { userId, organizationId, projectId, isReading }: Activity): Promise<void> {
  const now = { last_active_at: sql<string>`now()` };
  await db
    .updateTable('organization_members')
    .set(now)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  if (projectId === null) return;
  await db
    .updateTable('project_members')
    .set(now)
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
  if (!isReading) await db.updateTable('projects').set(now).where('id', '=', projectId).execute();
}
