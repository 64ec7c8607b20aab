import type { ComputePool } from '../../platform/compute/compute.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobContext, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import { derivedKey, originalKey, panelKeys } from '../files/index.ts';
import { findModel } from '../models/index.ts';
import { lockEntry } from '../projects/index.ts';
import {
  createProgressWriter,
  type ErrorExtra,
  failNamedRun,
  finishRun,
  inputGone,
  mailEndOfNamedRun,
  ofFailure,
  putResults,
  requeueRun,
  runEvent,
  takeUpRun,
  withAttempt,
} from '../runs/index.ts';
import { findCrossingSimulation, updateCrossingSimulationStatus } from './crossing-simulations.queries.ts';
import { crossingSimulations, findInputs } from './crossing-simulations.service.ts';
import type { RunCrossingInput, RunCrossingOutput } from './run-crossing.compute.ts';
import { type RunCrossingPayload, runCrossingJob } from './run-crossing.job.ts';

type CrossingWorkerServices = Services & { compute: ComputePool };

const COMPUTE = new URL('./run-crossing.compute.ts', import.meta.url);

export const crossingSimulationJobRegistrations = (services: CrossingWorkerServices): JobRegistration[] => [
  registerJob(
    runCrossingJob,
    (job) => handleRunCrossing(services, job),
    async ({ project_id: projectId, crossing_simulation_id: id, run_id: runId }, failure) => {
      await failNamedRun(services, crossingSimulations, { projectId, id, runId }, ofFailure(failure));
    },
  ),
];

/** May be delivered twice and taken over in the middle: results go under a prefix of the attempt until the row names them. */
async function handleRunCrossing(
  services: CrossingWorkerServices,
  { payload, signal }: JobContext<RunCrossingPayload>,
): Promise<void> {
  const { config, db, logger, storage, compute } = services;
  const { project_id: projectId, crossing_simulation_id: id, run_id: runId } = payload;
  const attempt = await takeUpRun(db, runId);
  const row = await findCrossingSimulation(db, projectId, id);
  if (attempt === undefined || row === undefined) return;
  const files = await findInputs(db, row);
  const model = row.model_id === null ? undefined : await findModel(db, projectId, row.model_id);
  const fail = (error: ErrorExtra) => failNamedRun(services, crossingSimulations, { projectId, id, runId }, error);
  if (files === undefined || model === undefined) return void (await fail(inputGone('The model or one of the files')));
  const specs = row.traits.flatMap(
    (trait) => model.trait_rows.find((one) => one.trait === trait)?.result_keys.spec ?? [],
  );
  const prefix = `projects/${projectId}/crossing_simulations/${id}/${runId}-${attempt}/`;
  const event = runEvent(crossingSimulations, row);
  const requeue = () => requeueRun(db, runId, attempt);
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const output = await compute.run<RunCrossingInput, RunCrossingOutput>(
      COMPUTE,
      {
        storage: storageLocation(config),
        panel: panelKeys(files.genotype),
        original: originalKey(projectId, files.genotype.id),
        crosses: derivedKey(files.crossing_table, 'table'),
        linkageMap: files.linkage_map === null ? null : derivedKey(files.linkage_map, 'table'),
        specs,
        parameters: row.parameters,
        seed: row.seed,
        directory,
      },
      { signal, onProgress: createProgressWriter(db, { runId, attempt, event, traits: [''], logger }) },
    );
    const keys = await putResults(storage, prefix, output.files);
    return await db.transaction().execute(async (trx) => {
      if (!(await lockEntry(trx, 'crossing_simulations', projectId, id)) || !(await finishRun(trx, runId, attempt)))
        return false;
      await updateCrossingSimulationStatus(trx, projectId, id, {
        status: 'SUCCESS',
        report: output.report,
        result_keys: keys,
      });
      await mailEndOfNamedRun(services, trx, crossingSimulations, { projectId, id, runId });
      await publishEvent(trx, event);
      return true;
    });
  });
}
