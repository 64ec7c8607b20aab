import { inputsOf } from '@heterosis/contracts/options/define-options';
import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findFile, findRunFiles, panelKeys } from '../../data/files/index.ts';
import { findModel } from '../models/index.ts';
import { oneStep, registerWork } from '../runs/kind/index.ts';
import { runPredictionJob } from './jobs.ts';
import { predictions } from './prediction.kind.ts';
import { predictionSelection } from './predictions.queries.ts';
import type { RunPredictionInput, RunPredictionOutput } from './run-prediction.compute.ts';

const COMPUTE = new URL('./run-prediction.compute.ts', import.meta.url);

export const predictionJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const run = registerWork(services, predictions, runPredictionJob, {
    async inputs(row) {
      const files = await findRunFiles(db, predictionSelection, row);
      const model = row.model_id === null ? undefined : await findModel(db, row.project_id, row.model_id);
      // The reliabilities of new individuals require the training genotype, which may have been deleted.
      const training = model?.genotype_id == null ? undefined : await findFile(db, row.project_id, model.genotype_id);
      return files && model && { ...files, model, training };
    },
    async compute({ traits, parameters }, { genotype, phenotype, model, training }, { directory, run: compute, put }) {
      const specs = traits.flatMap(
        (trait) => model.trait_rows.find((one) => one.trait === trait)?.result_keys.spec ?? [],
      );
      const { report, files } = await compute<RunPredictionInput, RunPredictionOutput>(COMPUTE, {
        storage: storageLocation(config),
        panel: panelKeys(genotype),
        training: training === undefined ? null : panelKeys(training),
        specs,
        known: phenotype === undefined ? null : derivedKey(phenotype, 'table'),
        ...inputsOf(PREDICTION_OPTIONS, parameters),
        exclusions: parameters.exclusions,
        directory,
      });
      return { report, result_keys: await put(files) };
    },
    store: (trx, row, result) => oneStep.store(trx, predictions, row, result),
  });
  return [run];
};
