import { sql } from 'kysely';
import type { Services } from '../../../../platform/http/app.ts';
import { hasLiveJob } from '../../../../platform/job-queue/boss-queue.ts';
import type { JobFailure, JobRegistration } from '../../../../platform/job-queue/job.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import { enqueueRun, runPayload } from '../work/begin-run.ts';
import { tenantColumn, tenantIdOf } from '../work/runs.queries.ts';

/** More than the queue gives a job: the run of a job that keeps ending without ending its run is failed. */
const MAX_ATTEMPTS = 30;
const GIVEN_UP: JobFailure = {
  code: 'jobs/worker-lost',
  message: `The run began ${MAX_ATTEMPTS} times without coming to an end, so it was given up.`,
};
/** Runs enqueued again per transaction. */
const BATCH = 100;

/**
 * Every unfinished run needs a job. A run has lost its job if the job is in a queue that this version does not read,
 * or if a database was restored. Such a run gets a new job and starts over. Covers all tenants. It may be interrupted
 * and repeated. A run that began too often is failed instead.
 */
export async function sweepLostRuns(
  { db, jobs, logger }: Pick<Services, 'db' | 'jobs' | 'logger'>,
  registrations: readonly Pick<JobRegistration, 'definition' | 'onFailed'>[],
): Promise<void> {
  const byName = new Map(registrations.map((registration) => [registration.definition.name, registration]));
  for (let found = BATCH; found === BATCH; ) {
    const hopeless: (() => Promise<void>)[] = [];
    found = await db.transaction().execute(async (trx) => {
      const runs = await trx
        .selectFrom('runs')
        .select(['id', 'project_id', 'organization_id', 'entity_kind', 'entity_id', 'jobs', 'attempt'])
        .where('finished_at', 'is', null)
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
        const registration = first && byName.get(first.job ?? first.queue);
        if (registration === undefined) continue;
        const job = registration.definition;
        await jobs.cancel(trx, ...references);
        if (run.attempt >= MAX_ATTEMPTS) {
          const payload = runPayload({ ...run, run_id: run.id });
          hopeless.push(async () => registration.onFailed?.(payload, GIVEN_UP));
          continue;
        }
        logger.warn({ run_id: run.id, job: job.name }, 'a run had no job and gets one');
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
          .where(tenantColumn(run.entity_kind), '=', tenantIdOf(run))
          .where('id', '=', run.id)
          .execute();
        await enqueueRun({ jobs }, trx, job, { ...run, run_id: run.id });
      }
      return runs.length;
    });
    for (const fail of hopeless) await fail();
  }
}
