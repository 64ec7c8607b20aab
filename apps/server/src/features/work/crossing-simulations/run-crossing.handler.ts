import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findRunFiles, originalKey, panelKeys } from '../../data/files/index.ts';
import { findModel } from '../models/index.ts';
import { oneStep, registerWork } from '../runs/kind/index.ts';
import { awaitPhasingRegistration } from './await-phasing.handler.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { crossingSelection } from './crossing-simulations.queries.ts';
import { runCrossingJob } from './jobs.ts';
import type { RunCrossingInput, RunCrossingOutput } from './run-crossing.compute.ts';

const COMPUTE = new URL('./run-crossing.compute.ts', import.meta.url);

export const crossingSimulationJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const run = registerWork(services, crossingSimulations, runCrossingJob, {
    async inputs(row) {
      const files = await findRunFiles(db, crossingSelection, row);
      const model = row.model_id === null ? undefined : await findModel(db, row.project_id, row.model_id);
      return files && model && { ...files, model };
    },
    async compute(row, { genotype, crossing_table, linkage_map, model }, { directory, run: compute, put }) {
      const specs = row.traits.flatMap(
        (trait) => model.trait_rows.find((one) => one.trait === trait)?.result_keys.spec ?? [],
      );
      const { report, files } = await compute<RunCrossingInput, RunCrossingOutput>(COMPUTE, {
        storage: storageLocation(config),
        panel: panelKeys(genotype),
        original: originalKey(row.project_id, genotype.id),
        crosses: derivedKey(crossing_table, 'table'),
        linkageMap: linkage_map === undefined ? null : derivedKey(linkage_map, 'table'),
        specs,
        parameters: row.parameters,
        seed: row.seed,
        directory,
      });
      return { report, result_keys: await put(files) };
    },
    store: (trx, row, result) => oneStep.store(trx, crossingSimulations, row, result),
  });
  return [run, awaitPhasingRegistration(services)];
};
