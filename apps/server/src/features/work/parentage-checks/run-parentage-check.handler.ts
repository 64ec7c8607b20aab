import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findRunFiles, panelKeys, readSampleNames } from '../../data/files/index.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';
import { readStoredPedigree } from '../../data/pedigree/index.ts';
import { oneStep, registerWork } from '../runs/kind/index.ts';
import { runParentageCheckJob } from './jobs.ts';
import { parentageChecks } from './parentage-check.kind.ts';
import { parentageSelection } from './parentage-checks.queries.ts';
import type { RunParentageCheckInput, RunParentageCheckOutput } from './run-parentage-check.compute.ts';

const COMPUTE = new URL('./run-parentage-check.compute.ts', import.meta.url);

export const parentageCheckJobRegistrations = (services: WorkerServices): JobRegistration[] => {
  const { config, db, storage } = services;
  const run = registerWork(services, parentageChecks, runParentageCheckJob, {
    async inputs(row) {
      const files = await findRunFiles(db, parentageSelection, row);
      if (files === undefined || (row.parameters.pedigree === 'file' && files.pedigree === undefined)) return undefined;
      const samples = await readSampleNames(storage, files.genotype);
      const catalogue = await readCatalogueOfProject(db, row.project_id, samples);
      const named = [...catalogue.names, ...catalogue.synonyms.map(([, name]) => name)];
      const stored =
        row.parameters.pedigree === 'germplasm' ? await readStoredPedigree(db, row.project_id, named) : null;
      return { ...files, catalogue, stored };
    },
    async compute({ parameters }, { genotype, pedigree, catalogue, stored }, { directory, run: compute, put }) {
      const { report, files } = await compute<RunParentageCheckInput, RunParentageCheckOutput>(COMPUTE, {
        storage: storageLocation(config),
        panel: panelKeys(genotype),
        pedigree: pedigree === undefined ? null : derivedKey(pedigree, 'table'),
        stored,
        catalogue,
        parameters,
        directory,
      });
      return { report, result_keys: await put(files) };
    },
    store: (trx, row, result) => oneStep.store(trx, parentageChecks, row, result),
  });
  return [run];
};
