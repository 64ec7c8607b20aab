import { join } from 'node:path';
import type { ClumpingRule } from '@heterosis/analysis/gwas/clump-hits';
import type * as z from 'zod';
import { publishEvent } from '../../platform/events/events.ts';
import {
  type JobContext,
  type JobFailure,
  type JobRegistration,
  type Needs,
  registerJob,
} from '../../platform/job-queue/job.ts';
import { findRunFiles } from '../files/index.ts';
import { needsOf } from '../matching/index.ts';
import {
  attachJob,
  createProgressWriter,
  findNamedRun,
  hasAttachedJob,
  isCurrentRun,
  ofFailure,
  type RunWorkerServices,
  runEvent,
  takeUpRun,
  withWorkDirectory,
} from '../runs/index.ts';
import type { FinishGwasInput } from './finish-gwas.compute.ts';
import { gwas } from './gwas.kind.ts';
import { type GwasRow, gwasSelection } from './gwas.queries.ts';
import { keptKey, partKey, stateKey } from './gwas-keys.ts';
import {
  currentAttempt,
  deleteLeftoversOf,
  failGwas,
  finishGwas,
  leftOutKey,
  storeOutputs,
  uploadOutputs,
  withGwasWork,
} from './gwas-work.ts';
import { chunksOf } from './plan-chunks.ts';
import type { PreparedGwasOutput, PrepareGwasInput } from './prepare-gwas.compute.ts';
import { finishGwasJob, type RunPayload, runGwasJob, testGwasMarkersJob } from './run-gwas.job.ts';
import type { TestGwasMarkersInput } from './test-gwas-markers.compute.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

const PREPARE = new URL('./prepare-gwas.compute.ts', import.meta.url);
const TEST = new URL('./test-gwas-markers.compute.ts', import.meta.url);
const FINISH = new URL('./finish-gwas.compute.ts', import.meta.url);

type Job<Definition extends { payload: z.ZodType }> = JobContext<z.output<Definition['payload']>>;

export function gwasJobRegistrations(services: RunWorkerServices): JobRegistration[] {
  const onFailed = (payload: RunPayload, failure: JobFailure) => failGwas(services, payload, ofFailure(failure));
  return [
    registerJob(runGwasJob, (job) => prepareGwas(services, job), onFailed),
    registerJob(testGwasMarkersJob, (job) => testMarkers(services, job), onFailed),
    registerJob(finishGwasJob, (job) => concludeGwas(services, job), onFailed),
  ];
}

/** Prepares the tests, stores the finished results, and starts the flow of chunks for the rest. */
async function prepareGwas(services: RunWorkerServices, job: Job<typeof runGwasJob>): Promise<void> {
  const { payload, signal } = job;
  const { db, storage, config, logger, compute } = services;
  const { run_id: runId } = payload;
  // Delivered again because the worker died before it could report the end: the flow exists and must not start twice.
  if (await hasAttachedJob(db, runId, finishGwasJob.name)) return;
  const needs = await reserveRoom(services, job);
  const taken = { payload, attempt: await takeUpRun(db, runId), signal };
  await withGwasWork(services, taken, async ({ row, inputs, attempt, prefix, traits }) =>
    withWorkDirectory(config, async (directory) => {
      if (attempt > 1) await deleteLeftoversOf(services, payload);
      const event = runEvent(gwas, row);
      const input: PrepareGwasInput = {
        ...inputs,
        directory,
        traits,
        test: row.test,
        fixed: row.fixed,
        covariates: (row.parameters.covariates ?? []).map((name) => ({
          name,
          kind: row.parameters.covariate_kinds?.[name],
        })),
        conditionOn: row.parameters.condition_on ?? [],
        dominance: row.parameters.dominance ?? false,
        leaveOneChromosomeOut: row.parameters.loco ?? false,
        permutations: row.parameters.permutations,
        stepwise: row.parameters.stepwise,
        clumping: clumpingOf(row),
        maf: row.thresh_maf,
        callRate: row.thresh_callrate,
        exclusions: row.parameters.exclusions,
        renames: row.parameters.renames ?? [],
        chunkGflop: config.compute.chunkGflop,
      };
      const { outputs, groups, markers, leftOut } = await compute.run<PrepareGwasInput, PreparedGwasOutput>(
        PREPARE,
        input,
        {
          signal,
          needs,
          onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }),
        },
      );
      await uploadOutputs(services, prefix, row, outputs);
      if (leftOut !== null) {
        await storage.putFile(leftOutKey(prefix), leftOut.names);
        await storage.putFile(keptKey(prefix), leftOut.kept);
      }
      for (const [group, { file }] of groups.entries()) await storage.putFile(stateKey(prefix, group), file);
      await db.transaction().execute(async (trx) => {
        if (!(await isCurrentRun(trx, runId, attempt))) return;
        await storeOutputs(trx, prefix, row, outputs);
        if (groups.length === 0) await finishGwas(services, trx, payload, attempt);
        else {
          const flow = await services.jobs.enqueueFlow(trx, flowOf({ ...payload, attempt }, markers, groups));
          await attachJob(trx, runId, ...flow.chunks, flow.reduce);
        }
        await publishEvent(trx, event);
      });
    }),
  );
}

/** Keeps room for the mixed model of a GWAS; undefined if the run or a file of it is gone. */
async function reserveRoom(
  services: RunWorkerServices,
  { payload, reserve }: Pick<JobContext<RunPayload>, 'payload' | 'reserve'>,
): Promise<Needs | undefined> {
  const row = await findNamedRun(gwasSelection, services.db, payload.project_id, payload.gwas_id);
  const files = row && (await findRunFiles(services.db, gwasSelection, row));
  if (row === undefined || files === undefined) return undefined;
  const needs = await needsOf(services, 'gwas', {
    ...{ ...files, traits: row.traits.length, dominance: row.parameters.dominance ?? false },
    ...{ isFitted: row.test !== 'SCORE', loco: row.parameters.loco ?? false },
    ...{ permutations: row.parameters.permutations !== undefined, stepwise: row.parameters.stepwise ?? 0 },
  });
  await reserve(needs);
  return needs;
}

/** One job per chunk of markers and group of traits, and the job that combines their results. */
const flowOf = (
  payload: RunPayload & { attempt: number },
  markers: number,
  groups: readonly { chunkMarkers: number }[],
) => ({
  chunk: testGwasMarkersJob,
  chunks: groups.flatMap(({ chunkMarkers }, group) =>
    chunksOf(markers, chunkMarkers).map((range) => ({ ...payload, group, ...range, total: markers * groups.length })),
  ),
  reduce: finishGwasJob,
  payload: { ...payload, markers, chunk_markers: groups.map(({ chunkMarkers }) => chunkMarkers) },
});

/** How hits are put together; null where they are not. */
const clumpingOf = ({ parameters: { clumps } }: GwasRow): ClumpingRule | null =>
  clumps === undefined ? null : { p1: clumps.p1, p2: clumps.p2, r2: clumps.r2, bp: 1000 * clumps.kb };

/** Where the first job has stored the places kept; null when nothing was to be left out. */
const keptOf = ({ parameters }: GwasRow, prefix: string): string | null =>
  parameters.exclusions === undefined ? null : keptKey(prefix);

/** Tests one chunk of markers for one group of traits. */
async function testMarkers(services: RunWorkerServices, job: Job<typeof testGwasMarkersJob>): Promise<void> {
  const { payload, signal } = job;
  const { db, storage, config, logger, compute } = services;
  const needs = await reserveRoom(services, job);
  const taken = { payload, attempt: await currentAttempt(services, payload), signal };
  await withGwasWork(services, taken, async ({ row, inputs, attempt, prefix, traits }) =>
    withWorkDirectory(config, async (directory) => {
      const { run_id: runId, group, first, count } = payload;
      const file = join(directory, 'part');
      const input: TestGwasMarkersInput = {
        storage: inputs.storage,
        panel: inputs.panel,
        kept: keptOf(row, prefix),
        state: stateKey(prefix, group),
        range: { first, count },
        file,
      };
      const report = createProgressWriter(db, {
        runId,
        attempt,
        event: runEvent(gwas, row),
        traits,
        logger,
        part: { name: `${group}-${first}`, total: payload.total },
      });
      await compute.run<TestGwasMarkersInput, null>(TEST, input, {
        signal,
        needs,
        onProgress: ({ stage, done, total }) => report({ stage, done: (done / Math.max(1, total)) * count, total }),
      });
      if (await isCurrentRun(db, runId, attempt)) await storage.putFile(partKey(prefix, group, first), file);
    }),
  );
}

/** Combines the results of the chunks, stores them, and ends the run. */
async function concludeGwas(
  services: RunWorkerServices,
  { payload, signal }: Job<typeof finishGwasJob>,
): Promise<void> {
  const { db, config, logger, compute } = services;
  const taken = { payload, attempt: await currentAttempt(services, payload), signal };
  await withGwasWork(services, taken, async ({ row, inputs, attempt, prefix, traits }) =>
    withWorkDirectory(config, async (directory) => {
      const { run_id: runId, markers, chunk_markers } = payload;
      const event = runEvent(gwas, row);
      const input: FinishGwasInput = {
        ...inputs,
        directory,
        renames: row.parameters.renames ?? [],
        clumping: clumpingOf(row),
        kept: keptOf(row, prefix),
        groups: chunk_markers.map((perChunk, group) => ({
          state: stateKey(prefix, group),
          parts: chunksOf(markers, perChunk).map((range) => ({ ...range, key: partKey(prefix, group, range.first) })),
        })),
      };
      const outputs = await compute.run<FinishGwasInput, GwasTraitOutput[]>(FINISH, input, {
        signal,
        onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }),
      });
      await uploadOutputs(services, prefix, row, outputs);
      await db.transaction().execute(async (trx) => {
        if (!(await isCurrentRun(trx, runId, attempt))) return;
        await storeOutputs(trx, prefix, row, outputs);
        await finishGwas(services, trx, payload, attempt);
        await publishEvent(trx, event);
      });
    }),
  );
}
