import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { JobDefinition } from '../../platform/job-queue/job.ts';
import type { EnqueueOptions } from '../../platform/job-queue/job-queue.ts';
import { attachJob, insertRun, type NewRun, type RunOwner } from './runs.queries.ts';

/** What the job of a run is told: the ids of project, entity and run. */
export type RunPayload<Owner extends RunOwner> = Record<'project_id' | 'run_id' | Owner, string>;

/** A new run and the job that does it, in the transaction that makes or changes what it is for. */
export async function startRun<Owner extends RunOwner>(
  { jobs }: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  job: JobDefinition<RunPayload<Owner>>,
  run: NewRun & { owner: Owner },
  options: Pick<EnqueueOptions, 'isContinuation'> = {},
): Promise<void> {
  const runId = await insertRun(trx, run);
  const payload = { project_id: run.projectId, [run.owner]: run.ownerId, run_id: runId } as RunPayload<Owner>;
  await attachJob(trx, runId, await jobs.enqueue(trx, job, payload, options));
}
