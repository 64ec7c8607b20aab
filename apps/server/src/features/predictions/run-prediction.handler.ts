import type { ComputePool } from '../../platform/compute/compute.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobContext, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import { findFile, panelKeys } from '../files/index.ts';
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
import { findPrediction, updatePredictionStatus } from './predictions.queries.ts';
import { predictions } from './predictions.service.ts';
import type { RunPredictionInput, RunPredictionOutput } from './run-prediction.compute.ts';
import { type RunPredictionPayload, runPredictionJob } from './run-prediction.job.ts';

type PredictionWorkerServices = Services & { compute: ComputePool };

const COMPUTE = new URL('./run-prediction.compute.ts', import.meta.url);

export const predictionJobRegistrations = (services: PredictionWorkerServices): JobRegistration[] => [
  registerJob(
    runPredictionJob,
    (job) => handleRunPrediction(services, job),
    async ({ project_id: projectId, prediction_id: id, run_id: runId }, failure) => {
      await failNamedRun(services, predictions, { projectId, id, runId }, ofFailure(failure));
    },
  ),
];

/** May be delivered twice and taken over in the middle: results go under a prefix of the attempt until the row names them. */
async function handleRunPrediction(
  services: PredictionWorkerServices,
  { payload, signal }: JobContext<RunPredictionPayload>,
): Promise<void> {
  const { config, db, logger, storage, compute } = services;
  const { project_id: projectId, prediction_id: id, run_id: runId } = payload;
  const attempt = await takeUpRun(db, runId);
  const prediction = await findPrediction(db, projectId, id);
  if (attempt === undefined || prediction === undefined) return;
  const { genotype_id, model_id } = prediction;
  const genotype = genotype_id === null ? undefined : await findFile(db, projectId, genotype_id);
  const model = model_id === null ? undefined : await findModel(db, projectId, model_id);
  const fail = (error: ErrorExtra) => failNamedRun(services, predictions, { projectId, id, runId }, error);
  if (genotype === undefined) return void (await fail(inputGone('The genotype file')));
  if (model === undefined) return void (await fail(inputGone('The model')));
  const specs = prediction.traits.flatMap(
    (trait) => model.trait_rows.find((row) => row.trait === trait)?.result_keys.spec ?? [],
  );

  const prefix = `projects/${projectId}/predictions/${id}/${runId}-${attempt}/`;
  const event = runEvent(predictions, prediction);
  const requeue = () => requeueRun(db, runId, attempt);
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const output = await compute.run<RunPredictionInput, RunPredictionOutput>(
      COMPUTE,
      {
        storage: storageLocation(config),
        panel: panelKeys(genotype),
        specs,
        minMarkerShare: prediction.parameters.min_marker_share,
        directory,
      },
      { signal, onProgress: createProgressWriter(db, { runId, attempt, event, traits: [''], logger }) },
    );
    const keys = await putResults(storage, prefix, output.files);
    return await db.transaction().execute(async (trx) => {
      if (!(await lockEntry(trx, 'predictions', projectId, id)) || !(await finishRun(trx, runId, attempt)))
        return false;
      await updatePredictionStatus(trx, projectId, id, {
        status: 'SUCCESS',
        report: output.report,
        result_keys: keys,
      });
      await mailEndOfNamedRun(services, trx, predictions, { projectId, id, runId });
      await publishEvent(trx, event);
      return true;
    });
  });
}
