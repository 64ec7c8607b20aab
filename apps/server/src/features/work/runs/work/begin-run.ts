import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { JobDefinition } from '../../../../platform/job-queue/job.ts';
import { publishQueue } from './queue.ts';
import {
  attachJob,
  findOrganizationOfProject,
  findRequest,
  insertRun,
  type NewRun,
  type RunEntity,
  type RunRequestedBy,
} from './runs.queries.ts';

/** Payload of a run's job: the ids of the project, of the run, and (as `{entity_kind}_id`) of the entity. */
export type RunPayload<Kind extends RunEntity['entity_kind']> = Record<'project_id' | 'run_id' | `${Kind}_id`, string>;

export const runPayload = <Kind extends RunEntity['entity_kind']>(run: {
  project_id: string;
  entity_kind: Kind;
  entity_id: string;
  run_id: string;
}): RunPayload<Kind> =>
  ({
    project_id: run.project_id,
    [`${run.entity_kind}_id`]: run.entity_id,
    run_id: run.run_id,
  }) as RunPayload<Kind>;

/** Who asks for a run, or the run that it follows, whose person and time of request it takes over. */
type RequestedBy = RunRequestedBy | { follows: string };

type BegunRun<Kind> = Omit<NewRun, keyof RunRequestedBy> & {
  entity_kind: Kind;
  by: RequestedBy;
  /** Follows another step of the same work, and so does not wait for a turn again. */
  isContinuation?: boolean;
};

/** Inserts a run and enqueues its job, in the transaction that creates or changes the entity. */
export async function beginRun<Kind extends RunEntity['entity_kind']>(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  job: JobDefinition<RunPayload<Kind>>,
  { by, isContinuation, ...run }: BegunRun<Kind>,
): Promise<void> {
  const requested = 'follows' in by ? await findRequest(trx, by.follows) : by;
  await enqueueRun(services, trx, job, {
    ...run,
    isContinuation,
    run_id: await insertRun(trx, { ...run, ...requested }),
  });
}

/** Enqueues the job of a run that has none, and publishes the new places of all waiting runs. */
export async function enqueueRun<Kind extends RunEntity['entity_kind']>(
  { jobs }: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  job: JobDefinition<RunPayload<Kind>>,
  {
    project_id,
    entity_kind,
    entity_id,
    run_id,
    isContinuation = false,
  }: { project_id: string; entity_kind: Kind; entity_id: string; run_id: string; isContinuation?: boolean | undefined },
): Promise<void> {
  const payload = runPayload({ project_id, entity_kind, entity_id, run_id });
  const organizationId = await findOrganizationOfProject(trx, project_id);
  const { requested_by } = await findRequest(trx, run_id);
  const turns = { organizationId, ...(requested_by === null ? {} : { personId: requested_by }) };
  await attachJob(trx, run_id, await jobs.enqueue(trx, job, payload, { isContinuation, ...turns }));
  await publishQueue(trx);
}
