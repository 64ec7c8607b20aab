import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findRunFiles, panelKeys } from '../../data/files/index.ts';
import { oneStep, registerWork } from '../runs/kind/index.ts';
import { runStackingPlanJob } from './jobs.ts';
import type { RunStackingPlanInput, RunStackingPlanOutput } from './run-stacking-plan.compute.ts';
import { stackingPlans } from './stacking-plan.kind.ts';
import { stackingSelection } from './stacking-plans.queries.ts';

const COMPUTE = new URL('./run-stacking-plan.compute.ts', import.meta.url);

export const stackingPlanJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const run = registerWork(services, stackingPlans, runStackingPlanJob, {
    async inputs(row) {
      const files = await findRunFiles(db, stackingSelection, row);
      if (files === undefined || (row.has_linkage_map && files.linkage_map === undefined)) return undefined;
      return files;
    },
    async compute({ parameters, seed }, { genotype, linkage_map }, { directory, run: compute, put }) {
      const { report, files } = await compute<RunStackingPlanInput, RunStackingPlanOutput>(COMPUTE, {
        storage: storageLocation(config),
        panel: panelKeys(genotype),
        linkageMap: linkage_map === undefined ? null : derivedKey(linkage_map, 'table'),
        seed: Number(seed),
        parameters,
        directory,
      });
      return { report, result_keys: await put(files) };
    },
    store: (trx, row, result) => oneStep.store(trx, stackingPlans, row, result),
  });
  return [run];
};
