import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Queryable } from '../../database/database.ts';

/** Jobs that wait for their next attempt, or for space, may begin now. */
export async function letGo(db: Queryable): Promise<void> {
  await sql`
    update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()
  `.execute(db);
}

/** Whether no worker is at a job: what a run leaves over is deleted after its end is told. */
export async function isIdle(db: Queryable): Promise<boolean> {
  const { rows } = await sql`select 1 from pgboss.job where state = 'active' limit 1`.execute(db);
  return rows.length === 0;
}

/** Takes jobs from lost workers now, and not when a worker looks for them next. */
export async function takeFromLostWorkers(boss: PgBoss, db: Queryable): Promise<void> {
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(db);
  await boss.supervise();
}
