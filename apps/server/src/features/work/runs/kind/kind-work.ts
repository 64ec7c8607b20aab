import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobDefinition, JobRegistration } from '../../../../platform/job-queue/job.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import type { Entity, RunIds } from '../work/entity.ts';
import { registerWaitOn, type WaitingJob } from '../work/wait.ts';
import { type JobsInParts, registerWorkInPartsOn, type WorkInParts } from '../work/work-in-parts.ts';
import { registerWorkOn, type StepWork } from '../work/work-on.ts';
import { failUnfinished, findNamedRun } from './run-kind.queries.ts';
import { goneInput, tellEndOfNamedRun } from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

/** A kind of run in the frame of the work on any entity. */
const asEntity = <Row extends NamedRunRow>(
  services: Pick<WorkerServices, 'config' | 'jobs'>,
  definition: RunKindDefinition<Row>,
): Entity<Row> => ({
  kind: definition.kind,
  find: (db, projectId, id) => findNamedRun(definition, db, projectId, id),
  lock: (trx, projectId, id) => lockEntry(trx, RUN_KINDS[definition.kind].path, projectId, id),
  gone: (row) => goneInput(definition, row),
  async fail(trx, row, reference, error) {
    await failUnfinished(trx, definition.kind, row, error);
    await tellEndOfNamedRun(services, trx, definition, reference);
  },
  tellEnd: (trx, reference) => tellEndOfNamedRun(services, trx, definition, reference),
});

/** The job of a step whose work is done by one compute process. */
export const registerWork = <Payload extends RunIds, Row extends NamedRunRow, Inputs, Output>(
  services: WorkerServices,
  definition: RunKindDefinition<Row>,
  job: JobDefinition<Payload>,
  work: StepWork<Row, Inputs, Output>,
): JobRegistration => registerWorkOn(services, asEntity(services, definition), job, work);

/** The three jobs of a step in parts. */
export const registerWorkInParts = <
  First extends RunIds,
  Part extends RunIds & { attempt: number },
  Last extends RunIds & { attempt: number },
  Row extends NamedRunRow,
  Inputs,
  Output,
>(
  services: WorkerServices,
  definition: RunKindDefinition<Row>,
  jobs: JobsInParts<First, Part, Last>,
  work: WorkInParts<Row, Inputs, Output, Part, Last>,
): JobRegistration[] => registerWorkInPartsOn(services, asEntity(services, definition), jobs, work);

/** The job of a run that waits for another one before its work begins. */
export const registerWait = <Payload extends RunIds, Row extends NamedRunRow>(
  services: WorkerServices,
  definition: RunKindDefinition<Row>,
  waiting: WaitingJob<Row, Payload>,
): JobRegistration => registerWaitOn(services, asEntity(services, definition), waiting);
