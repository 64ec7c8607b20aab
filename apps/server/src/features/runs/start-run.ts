import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { JobDefinition } from '../../platform/job-queue/job.ts';
import type { EnqueueOptions } from '../../platform/job-queue/job-queue.ts';
import { publishQueue } from './queue.ts';
import { attachJob, findOrganizationOfProject, insertRun, type NewRun, type RunOwner } from './runs.queries.ts';

/** What the job of a run is told: the ids of project, entity and run. */
export type RunPayload<Owner extends RunOwner> = Record<'project_id' | 'run_id' | Owner, string>;

/** A new run and the job that does it, in the transaction that makes or changes what it is for. */
export async function startRun<Owner extends RunOwner>(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  job: JobDefinition<RunPayload<Owner>>,
  run: NewRun & { owner: Owner },
  options: Pick<EnqueueOptions, 'isContinuation'> = {},
): Promise<void> {
  await enqueueRun(services, trx, job, { ...run, runId: await insertRun(trx, run) }, options);
}

/** The job of a run that has none. Those of other organizations that wait hear of their new places. */
export async function enqueueRun<Owner extends RunOwner>(
  { jobs }: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  job: JobDefinition<RunPayload<Owner>>,
  { projectId, owner, ownerId, runId }: { projectId: string; owner: Owner; ownerId: string; runId: string },
  options: Pick<EnqueueOptions, 'isContinuation'> = {},
): Promise<void> {
  const payload = { project_id: projectId, [owner]: ownerId, run_id: runId } as RunPayload<Owner>;
  const organizationId = await findOrganizationOfProject(trx, projectId);
  await attachJob(trx, runId, await jobs.enqueue(trx, job, payload, { ...options, organizationId }));
  await publishQueue(trx);
}
