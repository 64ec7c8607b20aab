import type { ErrorExtra as TraitError } from '@heterosis/analysis/describe-error';
import type { ComputePool } from '../../platform/compute/compute.ts';
import type { DatabaseTransaction, Queryable } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobContext, type JobFailure, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import { derivedKey, findInputFiles, panelKeys } from '../files/index.ts';
import { lockEntry } from '../projects/index.ts';
import {
  createProgressWriter,
  type ErrorExtra,
  failNamedRun,
  findRequest,
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
import { enqueueEvaluation } from './enqueue-evaluation.ts';
import type { EvaluatedTraitOutput, EvaluateModelInput } from './evaluate-model.compute.ts';
import type { ModelComputeInput } from './model-inputs.ts';
import { runPrefix } from './model-keys.ts';
import { findModel, type ModelResultKind, type ModelRow, updateModelTrait } from './models.queries.ts';
import { models } from './models.service.ts';
import type { TrainedTraitOutput } from './train-model.compute.ts';
import { evaluateModelJob, type ModelJobPayload, trainModelJob } from './train-model.job.ts';

export type ModelWorkerServices = Services & { compute: ComputePool };

const TRAIN = new URL('./train-model.compute.ts', import.meta.url);
const EVALUATE = new URL('./evaluate-model.compute.ts', import.meta.url);

/** What the two jobs of a model do with the results of their compute process. */
interface TraitOutput {
  trait: string;
  error: TraitError | null;
  result: { files: Partial<Record<ModelResultKind, string>> } | null;
}

type ResultKeys = Partial<Record<ModelResultKind, string>>;

interface Work<Output extends TraitOutput> {
  /** The traits that this job is about. */
  traits(model: ModelRow): string[];
  begin(db: Queryable, model: ModelRow, traits: string[]): Promise<void>;
  compute(model: ModelRow, input: ModelComputeInput, options: ComputeOptions): Promise<Output[]>;
  store(trx: DatabaseTransaction, model: ModelRow, output: Output, keys: ResultKeys): Promise<void>;
  finish(trx: DatabaseTransaction, model: ModelRow, stored: Output[], runId: string): Promise<void>;
}

type ComputeOptions = Parameters<ComputePool['run']>[2];

export const modelJobRegistrations = (services: ModelWorkerServices): JobRegistration[] => {
  const onFailed = async (
    { project_id: projectId, model_id: id, run_id: runId }: ModelJobPayload,
    failure: JobFailure,
  ) => {
    await failNamedRun(services, models, { projectId, id, runId }, ofFailure(failure));
  };
  return [
    registerJob(trainModelJob, (job) => runModelJob(services, job, training(services)), onFailed),
    registerJob(evaluateModelJob, (job) => runModelJob(services, job, evaluation(services)), onFailed),
  ];
};

const training = ({ compute, jobs }: ModelWorkerServices): Work<TrainedTraitOutput> => ({
  traits: (model) => model.trait_rows.flatMap(({ trait, status }) => (status === 'TRAINING' ? [trait] : [])),
  begin: async () => {},
  compute: (_model, input, options) => compute.run<ModelComputeInput, TrainedTraitOutput[]>(TRAIN, input, options),
  async store(trx, model, { trait, result }, result_keys) {
    if (result === null) return;
    const { variance, fit } = result;
    await updateModelTrait(trx, model.id, trait, { status: 'TRAINED', variance, fit, result_keys });
  },
  async finish(trx, model, stored, runId) {
    // Trained before, too: its evaluation failed and waits for this run, whatever came of the other traits.
    const hasTrained =
      stored.some(({ result }) => result !== null) || model.trait_rows.some(({ status }) => status === 'TRAINED');
    if (!hasTrained) return;
    await enqueueEvaluation({ jobs }, trx, model, await findRequest(trx, runId));
  },
});

const evaluation = ({ compute }: ModelWorkerServices): Work<EvaluatedTraitOutput> => ({
  // EVALUATING too: a worker that died in the middle had already said so.
  traits: (model) =>
    model.trait_rows.flatMap(({ trait, status }) => (status === 'TRAINED' || status === 'EVALUATING' ? [trait] : [])),
  async begin(db, model, traits) {
    for (const trait of traits) await updateModelTrait(db, model.id, trait, { status: 'EVALUATING' });
  },
  compute: (model, input, options) =>
    compute.run<EvaluateModelInput, EvaluatedTraitOutput[]>(
      EVALUATE,
      { ...input, modelName: model.name, nFold: model.n_fold, nRepetition: model.n_repetition, seed: model.seed },
      options,
    ),
  async store(trx, model, { trait, result }, result_keys) {
    if (result === null) return;
    await updateModelTrait(trx, model.id, trait, { status: 'EVALUATED', evaluation: result.evaluation, result_keys });
  },
  finish: async () => {},
});

/**
 * One job of a model, whichever. It may be delivered twice and may be taken over in the middle: results go under a prefix of
 * the attempt, and rows change in one transaction that only the newest attempt passes.
 */
async function runModelJob<Output extends TraitOutput>(
  services: ModelWorkerServices,
  { payload, signal }: JobContext<ModelJobPayload>,
  work: Work<Output>,
): Promise<void> {
  const { config, db, logger, storage } = services;
  const { project_id: projectId, model_id: modelId, run_id: runId } = payload;
  const attempt = await takeUpRun(db, runId);
  const model = await findModel(db, projectId, modelId);
  if (attempt === undefined || model === undefined) return;
  const inputs = await findInputFiles(db, model);
  const fail = (error: ErrorExtra) => failNamedRun(services, models, { projectId, id: modelId, runId }, error);
  if (inputs === undefined) return void (await fail(inputGone()));

  const traits = work.traits(model);
  const event = runEvent(models, model);
  await db.transaction().execute(async (trx) => {
    await work.begin(trx, model, traits);
    await publishEvent(trx, event);
  });

  const prefix = runPrefix(projectId, modelId, runId, attempt);
  const requeue = () => requeueRun(db, runId, attempt);
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const outputs = await work.compute(
      model,
      {
        storage: storageLocation(config),
        panel: panelKeys(inputs.genotype),
        phenotype: derivedKey(inputs.phenotype, 'table'),
        traits,
        hasDominance: model.include_dominance_effects,
        optimizeSeconds: model.optimize_time,
        parameters: model.parameters,
        directory,
      },
      { signal, onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }) },
    );
    const keys = new Map<string, ResultKeys>();
    for (const { trait, result } of outputs)
      keys.set(trait, await putResults(storage, `${prefix}${model.traits.indexOf(trait)}-`, result?.files ?? {}));
    return await db.transaction().execute(async (trx) => {
      if (!(await lockEntry(trx, 'models', projectId, modelId)) || !(await finishRun(trx, runId, attempt)))
        return false;
      for (const output of outputs) {
        const { trait, error } = output;
        if (error === null) await work.store(trx, model, output, keys.get(trait) ?? {});
        else await updateModelTrait(trx, modelId, trait, { status: 'ERROR', error_extra: { ...error } });
      }
      await work.finish(trx, model, outputs, runId);
      await mailEndOfNamedRun(services, trx, models, { projectId, id: modelId, runId });
      await publishEvent(trx, event);
      return true;
    });
  });
}
