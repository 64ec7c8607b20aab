import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { JobContext, JobRegistration } from '../../../platform/job-queue/job.ts';
import { registerJob } from '../../../platform/job-queue/job.ts';
import { type DerivationParameters, type FileRow, findFile, findPhasing } from '../../data/files/index.ts';
import { failNamedRun, findNamedRun } from '../runs/kind/index.ts';
import {
  type ErrorExtra,
  enqueueRun,
  eventOf,
  inputGone,
  ofFailure,
  progressOf,
  type Run,
  type RunWorkerServices,
  showAwaited,
} from '../runs/work/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import type { CrossingSimulationRow } from './crossing-simulations.queries.ts';
import { awaitPhasingJob, type RunCrossingPayload, runCrossingJob } from './jobs.ts';

const LOOK_AGAIN_SECONDS = 2;

export const awaitPhasingRegistration = (services: RunWorkerServices): JobRegistration =>
  registerJob(
    awaitPhasingJob,
    (context) => awaitPhasing(services, context),
    async (payload, failure) => void (await fail(services, payload, ofFailure(failure))),
  );

const fail = (
  services: RunWorkerServices,
  { project_id: projectId, crossing_simulation_id: id, run_id: runId }: RunCrossingPayload,
  error: ErrorExtra,
) => failNamedRun(services, crossingSimulations, { projectId, id, runId }, error);

/**
 * Looks whether the genotype is phased and its phased file checked. No job keeps its place while it waits: each one
 * ends at once, and puts the next into the queue.
 */
async function awaitPhasing(services: RunWorkerServices, { payload }: JobContext<RunCrossingPayload>): Promise<void> {
  const { db } = services;
  const row = await findNamedRun(crossingSimulations, db, payload.project_id, payload.crossing_simulation_id);
  // Delivered twice, cancelled, or begun by another job.
  if (row === undefined || row.status !== 'PROCESSING' || !row.parameters.phase_first) return;
  const genotype = row.genotype_id === null ? undefined : await findFile(db, row.project_id, row.genotype_id);
  if (genotype === undefined) return void (await fail(services, payload, inputGone('The genotype file')));
  const phasing = await findPhasing(db, genotype.id);
  const outcome = await outcomeOf(services, genotype, phasing);
  if ('error' in outcome) return void (await fail(services, payload, outcome.error));
  await db.transaction().execute(async (trx) => {
    if (outcome.phased === undefined) await lookAgain(services, trx, row, payload, phasing);
    else await simulateWith(services, trx, row, payload, { genotype, phased: outcome.phased });
    await publishEvent(trx, eventOf(crossingSimulations, row));
  });
}

/** The phased file; undefined while it is made and checked; or why there will be none. */
async function outcomeOf(
  { db }: RunWorkerServices,
  genotype: FileRow,
  phasing: Run | undefined,
): Promise<{ phased: FileRow | undefined } | { error: ErrorExtra }> {
  if (phasing === undefined || phasing.state === 'CANCELLED')
    return {
      error: {
        code: 'runs/cancelled',
        message: `The phasing of "${genotype.name}" was cancelled.`,
        action: 'Start the simulation again; the genotype is then phased first.',
      },
    };
  if (phasing.state === 'FAILED')
    return { error: phasing.error_extra ?? ofFailure({ code: 'server/internal', message: '' }) };
  const { made_file_id: phasedId } = phasing.parameters as DerivationParameters;
  if (phasedId === undefined) return { phased: undefined };
  const phased = await findFile(db, genotype.project_id, phasedId);
  if (phased === undefined) return { error: inputGone('The phased genotype file') };
  if (phased.status === 'INVALID')
    return {
      error: {
        code: 'files/not-ready',
        message: `The phased file "${phased.name}" has errors.`,
        action: 'Open its page to see them, or choose another phased genotype.',
      },
    };
  const isReady = phased.status === 'READY' || phased.status === 'READY_WITH_WARNINGS';
  return { phased: isReady ? phased : undefined };
}

async function lookAgain(
  { jobs }: RunWorkerServices,
  trx: DatabaseTransaction,
  row: CrossingSimulationRow,
  payload: RunCrossingPayload,
  phasing: Run | undefined,
): Promise<void> {
  const job = await jobs.enqueue(trx, awaitPhasingJob, payload, {
    isContinuation: true,
    organizationId: row.organization_id,
    delaySeconds: LOOK_AGAIN_SECONDS,
  });
  const { done = 0, total = 0 } = progressOf(phasing) ?? {};
  const shown = { stage: 'phase', progress_done: done, progress_total: total };
  if (!(await showAwaited(trx, payload.run_id, shown, job))) await jobs.cancel(trx, job);
}

/** The phased file takes the place of the genotype, which stays in the parameters. */
async function simulateWith(
  services: RunWorkerServices,
  trx: DatabaseTransaction,
  row: CrossingSimulationRow,
  payload: RunCrossingPayload,
  { genotype, phased }: { genotype: FileRow; phased: FileRow },
): Promise<void> {
  const { phase_first: _, ...parameters } = row.parameters;
  const phased_from = { id: genotype.id, name: genotype.name };
  const changed = await trx
    .updateTable('crossing_simulations')
    .set({ genotype_id: phased.id, parameters: { ...parameters, phased_from } })
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .where('status', '=', 'PROCESSING')
    .where('genotype_id', '=', genotype.id)
    .returning('id')
    .executeTakeFirst();
  // Delivered twice, or cancelled meanwhile.
  if (changed === undefined) return;
  await trx
    .updateTable('runs')
    // A run that has lost its job begins with the first of the list.
    .set({ jobs: '[]', input_sha256: sql`input_sha256 || jsonb_build_object('genotype', ${phased.sha256}::text)` })
    .where('id', '=', payload.run_id)
    .execute();
  const run = { project_id: row.project_id, entity_kind: 'crossing_simulation', entity_id: row.id } as const;
  await enqueueRun(services, trx, runCrossingJob, { ...run, run_id: payload.run_id }, { isContinuation: true });
}
