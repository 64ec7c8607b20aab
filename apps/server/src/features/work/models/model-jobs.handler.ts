import { join } from 'node:path';
import type { ErrorExtra as TraitError } from '@heterosis/analysis/describe-error';
import type { KernelModel } from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import { ENVIRONMENT } from '@heterosis/analysis/prediction/leave-out';
import type { ChainLengths } from '@heterosis/analysis/prediction/sampling/chains';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { modelNameOf } from '@heterosis/contracts/options/model-types';
import { EVALUATION_OPTIONS, MODEL_OPTIONS, TRAINING_OPTIONS } from '@heterosis/contracts/options/models';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration, Needs } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  covarianceObject,
  derivedKey,
  type FileRow,
  findRunFiles,
  originalKey,
  panelKeys,
  phenotypeOptionsOf,
} from '../../data/files/index.ts';
import { needsOf, weightsOf } from '../matching/index.ts';
import { registerWork, registerWorkInParts } from '../runs/kind/index.ts';
import type { Division } from '../runs/work/index.ts';
import { beginEvaluation } from './begin-evaluation.ts';
import { comparedMb } from './comparing/compared-memory.ts';
import type { EvaluatedTraitOutput, EvaluateModelInput } from './evaluate-model.compute.ts';
import type { FinishTrainingInput } from './finish-training.compute.ts';
import {
  evaluateModelJob,
  type FinishTrainingPayload,
  finishTrainingJob,
  type MultiplyMarkersPayload,
  multiplyMarkersJob,
  trainModelJob,
} from './jobs.ts';
import { models } from './model.kind.ts';
import type { ModelComputeInput } from './model-inputs.ts';
import { type ModelResultKind, type ModelRow, modelSelection, optionsOf, updateModelTrait } from './models.queries.ts';
import type { MultiplyMarkersInput } from './multiply-markers.compute.ts';
import type { TrainModelInput, TrainModelOutput } from './train-model.compute.ts';
import { type DividedTraining, STATE_NAME, tileName } from './training-state.ts';
import type { TrainedTraitOutput } from './write-trained-model.ts';

const TRAIN = new URL('./train-model.compute.ts', import.meta.url);
const MULTIPLY = new URL('./multiply-markers.compute.ts', import.meta.url);
const FINISH_TRAINING = new URL('./finish-training.compute.ts', import.meta.url);
const EVALUATE = new URL('./evaluate-model.compute.ts', import.meta.url);

/** How each of a model's two steps handles the results of its compute process. */
interface TraitOutput {
  trait: string;
  error: TraitError | null;
  result: { files: Partial<Record<ModelResultKind, string>> } | null;
}

type ResultKeys = Partial<Record<ModelResultKind, string>>;

/** The traits of a model that a step works on: those in one of these states. */
const traitsIn = (model: ModelRow, ...states: ModelRow['trait_rows'][number]['status'][]): string[] =>
  model.trait_rows.flatMap(({ trait, status }) => (states.includes(status) ? [trait] : []));

const toTrain = (model: ModelRow): string[] => traitsIn(model, 'TRAINING');
// Includes EVALUATING: a worker that died halfway had already marked them.
const toEvaluate = (model: ModelRow): string[] => traitsIn(model, 'TRAINED', 'EVALUATING');

export const modelJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const inputs = (model: ModelRow) => findRunFiles(db, modelSelection, model);
  const needs = async (analysis: 'train' | 'evaluate', model: ModelRow): Promise<Needs | undefined> => {
    const files = await inputs(model);
    if (files === undefined) return undefined;
    const planned = await needsOf(services, analysis, {
      ...{ ...files, traits: model.traits.length, dominance: model.include_dominance_effects },
      weights: weightsOf(model.parameters),
      residualLines: model.parameters.residual_lines === true,
      multiTrait: model.parameters.multi_trait === true,
      ...{ singleStep: files.pedigree !== undefined, folds: model.n_fold, repetitions: model.n_repetition },
    });
    const individuals = files.genotype.row_count ?? 0;
    const observed = Math.min(individuals, files.phenotype.row_count ?? individuals);
    const others = analysis === 'evaluate' ? (model.parameters.compared_models ?? []) : [];
    const memoryMb = comparedMb(
      [...new Set([trainedAs(model), ...others])].filter((name) => name !== 'rrblup'),
      { individuals, observed, markers: files.genotype.column_count ?? 0 },
      chainsOf(model).chains,
    );
    return { ...planned, memoryMb: Math.max(planned.memoryMb, memoryMb) };
  };
  const computeInput = (
    model: ModelRow,
    files: NonNullable<Awaited<ReturnType<typeof inputs>>>,
    traits: string[],
    directory: string,
  ): ModelComputeInput => ({
    storage: storageLocation(config),
    panel: panelKeys(files.genotype),
    phenotype: derivedKey(files.phenotype, 'table'),
    pedigree: files.pedigree === undefined ? null : derivedKey(files.pedigree, 'table'),
    covariance: model.parameters.weights === 'full' ? covarianceObject(files.phenotype, traits) : null,
    traits,
    options: inputsOf(TRAINING_OPTIONS, optionsOf(model)),
    model: trainedAs(model),
    chains: chainsOf(model),
    parameters: model.parameters,
    directory,
  });

  const needsOfTraining = (model: ModelRow) => needs('train', model);
  const trainingJobs = { first: trainModelJob, part: multiplyMarkersJob, last: finishTrainingJob };
  const train = registerWorkInParts(services, models, trainingJobs, {
    traits: toTrain,
    inputs,
    needs: {
      first: needsOfTraining,
      part: async (_, { memory, disk }) => ({ memoryMb: memory, diskMb: disk }),
      last: needsOfTraining,
    },
    async begin(model, files, { directory, run, put, keep }) {
      const { tileMarkers, chunkGflop } = config.compute;
      const { outputs, divided } = await run<TrainModelInput, TrainModelOutput>(TRAIN, {
        ...computeInput(model, files, toTrain(model), directory),
        tiles: { markers: tileMarkers, leastGflop: CHUNKS_WORTH_A_FLOW * chunkGflop },
      });
      if (divided !== null) await keep(STATE_NAME, divided.state);
      return {
        output: outputs && (await putTraits(model, outputs, put)),
        division: divided && divide(divided),
      };
    },
    sizeOf: ({ total, ...tile }) => ({ name: tileName(tile), size: 1, total }),
    async part(model, files, tile, { directory, prefix, run, keep }) {
      const { storage, panel } = computeInput(model, files, [], directory);
      const file = join(directory, 'tile');
      const input = { storage, panel, state: `${prefix}${STATE_NAME}`, tile, file };
      await run<MultiplyMarkersInput, null>(MULTIPLY, input);
      await keep(tileName(tile), file);
    },
    async finish(model, files, _, { directory, prefix, run, put }) {
      const input = { ...computeInput(model, files, toTrain(model), directory), prefix };
      const trained = await run<FinishTrainingInput, TrainedTraitOutput[]>(FINISH_TRAINING, input);
      return { output: await putTraits(model, trained, put) };
    },
    async store(trx, model, outputs, { runId }) {
      await storeTraits(trx, model, outputs, async ({ trait, result: { variance, fit } }, result_keys) =>
        updateModelTrait(trx, model.id, trait, { status: 'TRAINED', variance, fit, result_keys }),
      );
      // Includes traits trained earlier: their evaluation failed and must be repeated, whatever the outcome for the
      // other traits.
      const hasTrained = outputs.some(({ result }) => result !== null) || traitsIn(model, 'TRAINED').length > 0;
      if (hasTrained) await beginEvaluation(services, trx, model, { follows: runId });
    },
  });

  const evaluate = registerWork(services, models, evaluateModelJob, {
    traits: toEvaluate,
    inputs,
    needs: (model) => needs('evaluate', model),
    async begin(trx, model) {
      for (const trait of toEvaluate(model)) await updateModelTrait(trx, model.id, trait, { status: 'EVALUATING' });
    },
    async compute(model, files, { directory, run, put }) {
      const input = {
        ...computeInput(model, files, toEvaluate(model), directory),
        modelName: model.name,
        modelTraits: model.traits,
        evaluation: inputsOf(EVALUATION_OPTIONS, optionsOf(model)),
        plots: model.parameters.leave_out === ENVIRONMENT ? plotsOf(files.phenotype) : null,
        phenotypeQc: derivedKey(files.phenotype, 'qc'),
      };
      return await putTraits(model, await run<EvaluateModelInput, EvaluatedTraitOutput[]>(EVALUATE, input), put);
    },
    async store(trx, model, outputs) {
      await storeTraits(trx, model, outputs, async ({ trait, result: { evaluation } }, result_keys) =>
        updateModelTrait(trx, model.id, trait, { status: 'EVALUATED', evaluation, result_keys }),
      );
    },
  });
  return [...train, evaluate];
};

/** A smaller training would wait longer for its parts than it gains. */
const CHUNKS_WORTH_A_FLOW = 10;

/** One job per tile. */
const divide = ({ tiles, needs }: DividedTraining): Division<MultiplyMarkersPayload, FinishTrainingPayload> => ({
  parts: tiles.map((tile) => ({ ...tile, total: tiles.length, memory: needs.memoryMb, disk: needs.diskMb })),
  last: {},
});

/** As the analysis calls it. */
const trainedAs = ({ model_type: type }: ModelRow): KernelModel =>
  MODEL_OPTIONS.compared_models.choices.find((model) => model === modelNameOf(type)) ?? 'rrblup';

/** How long chains are, as asked for or by default. */
function chainsOf(model: ModelRow): ChainLengths {
  const { cycles, burn_in, chains } = MODEL_OPTIONS;
  const asked = model.parameters;
  return {
    cycles: asked.cycles ?? cycles.default,
    burnIn: asked.burn_in ?? burn_in.default,
    chains: asked.chains ?? chains.default,
    earlyStop: asked.early_stop ?? false,
    seed: model.seed,
  };
}

const plotsOf = ({ id, project_id, name, meta }: FileRow): EvaluateModelInput['plots'] => ({
  key: originalKey(project_id, id),
  name,
  options: phenotypeOptionsOf(meta),
});

type Stored<Output> = Output & { keys: ResultKeys };

/** Stores the files of each trait under its index among the traits of the model. */
async function putTraits<Output extends TraitOutput>(
  model: ModelRow,
  outputs: readonly Output[],
  put: (files: ResultKeys, part: string) => Promise<ResultKeys>,
): Promise<Stored<Output>[]> {
  const stored: Stored<Output>[] = [];
  for (const output of outputs) {
    const part = `${model.traits.indexOf(output.trait)}-`;
    stored.push({ ...output, keys: await put(output.result?.files ?? {}, part) });
  }
  return stored;
}

/** Writes the error of each failed trait; `store` writes the result of the others. */
async function storeTraits<Output extends TraitOutput>(
  trx: DatabaseTransaction,
  model: ModelRow,
  outputs: readonly Stored<Output>[],
  store: (output: Output & { result: NonNullable<Output['result']> }, keys: ResultKeys) => Promise<void>,
): Promise<void> {
  for (const output of outputs) {
    const { trait, error, result, keys } = output;
    if (error !== null) await updateModelTrait(trx, model.id, trait, { status: 'ERROR', error_extra: { ...error } });
    else if (result !== null) await store({ ...output, result }, keys);
  }
}
