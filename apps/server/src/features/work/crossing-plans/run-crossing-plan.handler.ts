import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findRunFiles, originalKey, panelKeys } from '../../data/files/index.ts';
import { findModel } from '../models/index.ts';
import { oneStep, registerWork } from '../runs/kind/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';
import { crossingPlanSelection, parametersOf } from './crossing-plans.queries.ts';
import { runCrossingPlanJob } from './jobs.ts';
import { findMadeCrosses } from './made-crosses.ts';
import { readKnownNames } from './plan-candidates.ts';
import type { RunCrossingPlanInput, RunCrossingPlanOutput } from './run-crossing-plan.compute.ts';

const COMPUTE = new URL('./run-crossing-plan.compute.ts', import.meta.url);

export const crossingPlanJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const run = registerWork(services, crossingPlans, runCrossingPlanJob, {
    async inputs(row) {
      const files = await findRunFiles(db, crossingPlanSelection, row);
      const model = row.model_id === null ? undefined : await findModel(db, row.project_id, row.model_id);
      if (files === undefined || model === undefined) return undefined;
      const { crossing_table, genotype } = files;
      const source = { from: parametersOf(row).candidates_from, model, traits: row.traits, genotype };
      const everyone = () => readKnownNames(services, source);
      return { ...files, model, made: await findMadeCrosses(db, row, { crossing_table, everyone }) };
    },
    async compute(row, { genotype, pedigree, linkage_map, model, made }, { directory, run: compute, put }) {
      const specs = row.traits.flatMap(
        (trait) => model.trait_rows.find((one) => one.trait === trait)?.result_keys.spec ?? [],
      );
      const { report, files } = await compute<RunCrossingPlanInput, RunCrossingPlanOutput>(COMPUTE, {
        storage: storageLocation(config),
        genotype:
          genotype === undefined
            ? null
            : { panel: panelKeys(genotype), original: originalKey(row.project_id, genotype.id) },
        pedigree: pedigree === undefined ? null : derivedKey(pedigree, 'table'),
        made,
        linkageMap: linkage_map === undefined ? null : derivedKey(linkage_map, 'table'),
        specs,
        parameters: parametersOf(row),
        directory,
      });
      return { report, result_keys: await put(files) };
    },
    store: (trx, row, result) => oneStep.store(trx, crossingPlans, row, result),
  });
  return [run];
};
