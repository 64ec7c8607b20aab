import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { JobDefinition } from '../../../../platform/job-queue/job.ts';
import { publishQueue } from './queue.ts';
import {
  attachJob,
  findOrganizationOf,
  findRequest,
  insertRun,
  type NewRun,
  type RunEntity,
  type RunRequestedBy,
  type RunTenant,
  type TenantColumn,
  tenantColumn,
  tenantIdOf,
} from './runs.queries.ts';

/** Payload of a run's job: the ids of the tenant, of the run, and (as `{entity_kind}_id`) of the entity. */
export type RunPayload<Kind extends RunEntity['entity_kind']> = Record<
  TenantColumn<Kind> | 'run_id' | `${Kind}_id`,
  string
>;

/** A run that exists. */
interface StoredRun<Kind extends RunEntity['entity_kind']> extends RunTenant {
  entity_kind: Kind;
  entity_id: string;
  run_id: string;
}

export const runPayload = <Kind extends RunEntity['entity_kind']>(run: StoredRun<Kind>): RunPayload<Kind> =>
  ({
    [tenantColumn(run.entity_kind)]: tenantIdOf(run),
    [`${run.entity_kind}_id`]: run.entity_id,
    run_id: run.run_id,
  }) as RunPayload<Kind>;

/** Who asks for a run, or the run that it follows, whose person and time of request it takes over. */
type RequestedBy = RunRequestedBy | { follows: string };

type BegunRun<Kind extends RunEntity['entity_kind']> = Omit<NewRun, keyof RunRequestedBy> &
  Record<TenantColumn<Kind>, string> & {
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
  { isContinuation = false, ...run }: StoredRun<Kind> & { isContinuation?: boolean | undefined },
): Promise<void> {
  const { run_id } = run;
  const organizationId = await findOrganizationOf(trx, run);
  const { requested_by } = await findRequest(trx, run_id);
  const turns = { organizationId, ...(requested_by === null ? {} : { personId: requested_by }) };
  await attachJob(trx, run_id, await jobs.enqueue(trx, job, runPayload(run), { isContinuation, ...turns }));
  await publishQueue(trx);
}
