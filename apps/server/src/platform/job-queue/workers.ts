import { hostname } from 'node:os';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import type { Needs } from './job.ts';
import type { Offer } from './room.ts';

const BEAT_MS = 15_000;
/** A worker without a beat for this long is gone. */
const LOST_SECONDS = 60;
/** Workers that are replaced or restarted come back within this time. */
const AWAY_MINUTES = 15;
const KEPT_DAYS = 7;

/** Keeps this worker in the list of workers, with what it offers, until the returned function takes it out. */
export async function enlist(db: Queryable, offer: Offer, logger: Logger): Promise<() => Promise<void>> {
  const id = uuidv7();
  const beat = async (): Promise<void> => {
    const row = {
      cores: offer.cores,
      memory_mb: Math.floor(offer.memoryMb),
      disk_mb: Math.floor(await offer.diskMb()),
    };
    await db
      .insertInto('workers')
      .values({ id, host: hostname(), ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, seen_at: sql`now()` }))
      .execute();
    await db
      .deleteFrom('workers')
      .where('seen_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
      .execute();
  };
  const warn = (error: unknown): void => logger.warn({ err: error }, 'this worker could not say what it offers');
  await beat();
  const timer = setInterval(() => void beat().catch(warn), BEAT_MS);
  return async () => {
    clearInterval(timer);
    await db.deleteFrom('workers').where('id', '=', id).execute().catch(warn);
  };
}

export interface EnlistedWorker {
  id: string;
  host: string;
  cores: number;
  memory_mb: number;
  disk_mb: number;
  started_at: string;
  seen_at: string;
}

/** The workers that are alive, the longest at work first. */
export async function listWorkers(db: Queryable): Promise<EnlistedWorker[]> {
  return await db
    .selectFrom('workers')
    .select(['id', 'host', 'cores', 'memory_mb', 'disk_mb', 'started_at', 'seen_at'])
    .where('seen_at', '>', sql<string>`now() - make_interval(secs => ${LOST_SECONDS})`)
    .orderBy('id')
    .execute();
}

/** Memory of the largest worker of the last minutes, in MB; null when there was none. */
export async function largestMemoryMb(db: Queryable): Promise<number | null> {
  const { memory_mb } = await recent(db)
    .select(({ fn }) => fn.max('memory_mb').as('memory_mb'))
    .executeTakeFirstOrThrow();
  return memory_mb;
}

/** Whether a worker of the last minutes has room for a job. */
export async function hasRoomFor(db: Queryable, { memoryMb, diskMb }: Needs): Promise<boolean> {
  const found = await recent(db)
    .select('id')
    .where('memory_mb', '>=', memoryMb)
    .where('disk_mb', '>=', diskMb)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const recent = (db: Queryable) =>
  db.selectFrom('workers').where('seen_at', '>', sql<string>`now() - make_interval(mins => ${AWAY_MINUTES})`);
