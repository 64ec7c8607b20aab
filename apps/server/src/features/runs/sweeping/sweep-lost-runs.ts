import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { hasLiveJob } from '../../../platform/job-queue/boss-queue.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import type { JobReference } from '../../../platform/job-queue/job-queue.ts';
import { enqueueRun } from '../working/start-run.ts';

/** A job that keeps ending without ending its run must not block the queue for ever. */
const MAX_ATTEMPTS = 10;
/** Runs enqueued again per transaction. */
const BATCH = 100;

/**
 * Every unfinished run needs a job. A run has lost its job if the job is in a queue that this version does not read,
 * or if a database was restored. Such a run gets a new job and starts over. Covers all tenants. It may be interrupted
 * and repeated.
 */
export async function sweepLostRuns(
  { db, jobs, logger }: Pick<Services, 'db' | 'jobs' | 'logger'>,
  registrations: readonly Pick<JobRegistration, 'definition'>[],
): Promise<void> {
  const byName = new Map(registrations.map(({ definition }) => [definition.name, definition]));
  for (let found = BATCH; found === BATCH; )
    found = await db.transaction().execute(async (trx) => {
      const runs = await trx
        .selectFrom('runs')
        .select(['id', 'project_id', 'entity_kind', 'entity_id', 'jobs'])
        .where('finished_at', 'is', null)
        .where('attempt', '<', MAX_ATTEMPTS)
        // The first job of a run is the one that starts it. Versions without lanes had one queue per job, named after
        // it.
        .where(sql<boolean>`coalesce(jobs -> 0 ->> 'job', jobs -> 0 ->> 'queue') = any(${[...byName.keys()]}::text[])`)
        .where((where) => where.not(hasLiveJob(sql.ref('runs.jobs'))))
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const run of runs) {
        const references = run.jobs as (Omit<JobReference, 'job'> & { job?: string })[];
        const [first] = references;
        const job = first && byName.get(first.job ?? first.queue);
        if (job === undefined) continue;
        logger.warn({ run_id: run.id, job: job.name }, 'a run had no job and gets one');
        await jobs.cancel(trx, ...references);
        await trx
          .updateTable('runs')
          .set({
            jobs: sql`'[]'`,
            state: 'QUEUED',
            stage: 'queued',
            progress_done: 0,
            progress_total: 0,
            updated_at: sql<string>`now()`,
          })
          .where('project_id', '=', run.project_id)
          .where('id', '=', run.id)
          .execute();
        await enqueueRun({ jobs }, trx, job, { ...run, run_id: run.id });
      }
      return runs.length;
    });
}
