import { join } from 'node:path';
import type { ComputePool } from '../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobFailure, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import type { StoredInputs } from '../../platform/object-storage/stored-panel.ts';
import { derivedKey, findInputFiles, panelKeys } from '../files/index.ts';
import {
  attachJob,
  createProgressWriter,
  deleteLeftovers,
  type ErrorExtra,
  errorExtraOf,
  failNamedRun,
  finishRun,
  hasAttachedJob,
  inputGone,
  isCurrentRun,
  mailEndOfNamedRun,
  ofFailure,
  requeueRun,
  runEvent,
  takeUpRun,
  withWorkDirectory,
} from '../runs/index.ts';
import type { FinishGwasInput } from './finish-gwas.compute.ts';
import { findGwas, type GwasResultKind, type GwasRow, updateGwasTrait } from './gwas.queries.ts';
import { gwasRuns } from './gwas.service.ts';
import { attemptPrefix, partKey, stateKey } from './gwas-keys.ts';
import { chunksOf } from './plan-chunks.ts';
import type { PreparedGwasOutput, PrepareGwasInput } from './prepare-gwas.compute.ts';
import { type AttemptPayload, finishGwasJob, type RunPayload, runGwasJob, testGwasMarkersJob } from './run-gwas.job.ts';
import type { TestGwasMarkersInput } from './test-gwas-markers.compute.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

const PREPARE = new URL('./prepare-gwas.compute.ts', import.meta.url);
const TEST = new URL('./test-gwas-markers.compute.ts', import.meta.url);
const FINISH = new URL('./finish-gwas.compute.ts', import.meta.url);

/** What a job of a GWAS has to work with. */
interface Work {
  gwas: GwasRow;
  inputs: StoredInputs;
  attempt: number;
  /** Prefix of what this attempt writes. */
  prefix: string;
  /** Traits without a result, in the order asked for. */
  traits: string[];
}

const runOf = ({ project_id: projectId, gwas_id: ownerId, run_id: runId }: RunPayload) =>
  ({ projectId, owner: 'gwas_id', ownerId, runId }) as const;

export function gwasJobRegistrations(services: Services & { compute: ComputePool }): JobRegistration[] {
  const { db, storage, config, logger, jobs, compute } = services;

  /** Ends the run and every trait that has no result. */
  const fail = async (payload: RunPayload, error: ErrorExtra): Promise<void> => {
    const { project_id: projectId, gwas_id: id, run_id: runId } = payload;
    if (await failNamedRun(services, gwasRuns, { projectId, id, runId }, error))
      await deleteLeftovers(services, runOf(payload));
  };
  const onFailed = (payload: RunPayload, failure: JobFailure) => fail(payload, ofFailure(failure));

  /** Runs `work` unless the run has ended, and turns what is the input's fault into an error of the run. */
  const withWork = async (
    payload: RunPayload,
    attempt: number | undefined,
    signal: AbortSignal,
    work: (work: Work) => Promise<void>,
  ): Promise<void> => {
    const { project_id: projectId, gwas_id: gwasId, run_id: runId } = payload;
    const gwas = await findGwas(db, projectId, gwasId);
    // Ended, cancelled, taken over or deleted meanwhile: nothing to do.
    if (attempt === undefined || !gwas) return;
    const files = await findInputFiles(db, gwas);
    if (!files) return fail(payload, inputGone());
    try {
      await work({
        gwas,
        attempt,
        inputs: {
          storage: storageLocation(config),
          panel: panelKeys(files.genotype),
          phenotype: derivedKey(files.phenotype, 'table'),
        },
        prefix: attemptPrefix(projectId, gwasId, runId, attempt),
        traits: gwas.trait_rows.filter(({ status }) => status === 'PROCESSING').map(({ trait }) => trait),
      });
      // Done, or cancelled or taken over while this job still wrote: what no row names may go.
      if (!(await isCurrentRun(db, runId, attempt))) await deleteLeftovers(services, runOf(payload));
    } catch (error) {
      const extra = signal.aborted ? undefined : errorExtraOf(error);
      if (extra) return fail(payload, extra);
      // A chunk is repeated while the others go on.
      const requeue = async () => {
        if (!(await hasAttachedJob(db, runId, finishGwasJob.name))) await requeueRun(db, runId, attempt);
      };
      await requeue().catch((reason: unknown) => logger.warn({ err: reason }, 'a run could not be put back'));
      throw error;
    }
  };

  /** All traits have their results or their reasons. */
  const finish = async (trx: DatabaseTransaction, payload: RunPayload, attempt: number): Promise<void> => {
    const { project_id: projectId, gwas_id: id, run_id: runId } = payload;
    if (await finishRun(trx, runId, attempt))
      await mailEndOfNamedRun(services, trx, gwasRuns, { projectId, id, runId });
  };

  /** The attempt of a job of a flow; undefined when another has taken over. */
  const currentAttempt = async ({ run_id, attempt }: AttemptPayload): Promise<number | undefined> =>
    (await isCurrentRun(db, run_id, attempt)) ? attempt : undefined;

  const prepare = registerJob(
    runGwasJob,
    async ({ payload, signal }) => {
      const { run_id: runId } = payload;
      // Delivered again because the worker died before the queue heard of the end: the flow is under way, and starts once only.
      if (await hasAttachedJob(db, runId, finishGwasJob.name)) return;
      await withWork(payload, await takeUpRun(db, runId), signal, async ({ gwas, inputs, attempt, prefix, traits }) =>
        withWorkDirectory(config, async (directory) => {
          if (attempt > 1) await deleteLeftovers(services, runOf(payload));
          const event = runEvent(gwasRuns, gwas);
          const input: PrepareGwasInput = {
            ...inputs,
            directory,
            traits,
            test: gwas.test,
            fixed: gwas.fixed,
            covariates: gwas.parameters.covariates ?? [],
            maf: gwas.thresh_maf,
            callRate: gwas.thresh_callrate,
            renames: gwas.parameters.renames ?? [],
            chunkGflop: config.compute.chunkGflop,
          };
          const { outputs, groups, markers } = await compute.run<PrepareGwasInput, PreparedGwasOutput>(PREPARE, input, {
            signal,
            onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }),
          });
          await upload(prefix, gwas, outputs);
          for (const [group, { file }] of groups.entries()) await storage.putFile(stateKey(prefix, group), file);
          await db.transaction().execute(async (trx) => {
            if (!(await isCurrentRun(trx, runId, attempt))) return;
            await store(trx, prefix, gwas, outputs);
            if (groups.length === 0) await finish(trx, payload, attempt);
            else {
              const flow = await jobs.enqueueFlow(trx, {
                chunk: testGwasMarkersJob,
                chunks: groups.flatMap(({ chunkMarkers }, group) =>
                  chunksOf(markers, chunkMarkers).map((range) => ({
                    ...payload,
                    attempt,
                    group,
                    ...range,
                    total: markers * groups.length,
                  })),
                ),
                reduce: finishGwasJob,
                payload: {
                  ...payload,
                  attempt,
                  markers,
                  chunk_markers: groups.map(({ chunkMarkers }) => chunkMarkers),
                },
              });
              await attachJob(trx, runId, ...flow.chunks, flow.reduce);
            }
            await publishEvent(trx, event);
          });
        }),
      );
    },
    onFailed,
  );

  const test = registerJob(
    testGwasMarkersJob,
    async ({ payload, signal }) =>
      withWork(payload, await currentAttempt(payload), signal, async ({ gwas, inputs, attempt, prefix, traits }) =>
        withWorkDirectory(config, async (directory) => {
          const { run_id: runId, group, first, count } = payload;
          const file = join(directory, 'part');
          const input: TestGwasMarkersInput = {
            storage: inputs.storage,
            panel: inputs.panel,
            state: stateKey(prefix, group),
            range: { first, count },
            file,
          };
          const report = createProgressWriter(db, {
            runId,
            attempt,
            event: runEvent(gwasRuns, gwas),
            traits,
            logger,
            part: { name: `${group}-${first}`, total: payload.total },
          });
          await compute.run<TestGwasMarkersInput, null>(TEST, input, {
            signal,
            onProgress: ({ stage, done, total }) => report({ stage, done: (done / Math.max(1, total)) * count, total }),
          });
          if (await isCurrentRun(db, runId, attempt)) await storage.putFile(partKey(prefix, group, first), file);
        }),
      ),
    onFailed,
  );

  const conclude = registerJob(
    finishGwasJob,
    async ({ payload, signal }) =>
      withWork(payload, await currentAttempt(payload), signal, async ({ gwas, inputs, attempt, prefix, traits }) =>
        withWorkDirectory(config, async (directory) => {
          const { run_id: runId, markers, chunk_markers } = payload;
          const event = runEvent(gwasRuns, gwas);
          const input: FinishGwasInput = {
            ...inputs,
            directory,
            renames: gwas.parameters.renames ?? [],
            groups: chunk_markers.map((perChunk, group) => ({
              state: stateKey(prefix, group),
              parts: chunksOf(markers, perChunk).map(({ first }) => partKey(prefix, group, first)),
            })),
          };
          const outputs = await compute.run<FinishGwasInput, GwasTraitOutput[]>(FINISH, input, {
            signal,
            onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }),
          });
          await upload(prefix, gwas, outputs);
          await db.transaction().execute(async (trx) => {
            if (!(await isCurrentRun(trx, runId, attempt))) return;
            await store(trx, prefix, gwas, outputs);
            await finish(trx, payload, attempt);
            await publishEvent(trx, event);
          });
        }),
      ),
    onFailed,
  );

  async function upload(prefix: string, gwas: GwasRow, outputs: readonly GwasTraitOutput[]): Promise<void> {
    for (const { trait, result } of outputs)
      for (const [kind, path] of Object.entries(result?.files ?? {}))
        await storage.putFile(resultKey(prefix, gwas, trait, kind as GwasResultKind), path);
  }

  return [prepare, test, conclude];
}

async function store(
  trx: DatabaseTransaction,
  prefix: string,
  gwas: GwasRow,
  outputs: readonly GwasTraitOutput[],
): Promise<void> {
  for (const { trait, error, result } of outputs) {
    if (result === null) {
      await updateGwasTrait(trx, gwas.id, trait, { status: 'ERROR', error_extra: error as ErrorExtra });
      continue;
    }
    const { summary, chromosomes, files } = result;
    const kinds = Object.keys(files) as GwasResultKind[];
    const keys = Object.fromEntries(kinds.map((kind) => [kind, resultKey(prefix, gwas, trait, kind)]));
    await updateGwasTrait(trx, gwas.id, trait, { status: 'SUCCESS', summary, chromosomes, result_keys: keys });
  }
}

const resultKey = (prefix: string, gwas: GwasRow, trait: string, kind: GwasResultKind): string =>
  `${prefix}${gwas.traits.indexOf(trait)}-${kind}`;
