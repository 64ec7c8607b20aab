import { join } from 'node:path';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { PanelKeys } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, findRunFiles, originalKey, panelKeys, phenotypeOptionsOf } from '../../data/files/index.ts';
import { registerWorkInParts } from '../runs/kind/index.ts';
import type { Division, PartStep, RunWorkerServices } from '../runs/work/index.ts';
import type { FinishTrialAnalysisInput, TrialTraitOutput } from './finish-trial-analysis.compute.ts';
import type { FitTrialsInput } from './fit-trials.compute.ts';
import {
  type FinishTrialAnalysisPayload,
  type FitTrialsPayload,
  finishTrialAnalysisJob,
  fitTrialsJob,
  runTrialAnalysisJob,
} from './jobs.ts';
import type { PlotsInput } from './plots-of-run.ts';
import type { PreparedTrials } from './prepare-trials.compute.ts';
import { putTrialOutputs, storeTrialOutputs } from './store-trial-analysis.ts';
import { type TrialAnalysisRow, trialAnalysisSelection } from './trial-analyses.queries.ts';
import { trialAnalyses, unfinishedTraits } from './trial-analysis.kind.ts';

const PREPARE = new URL('./prepare-trials.compute.ts', import.meta.url);
const FIT = new URL('./fit-trials.compute.ts', import.meta.url);
const FINISH = new URL('./finish-trial-analysis.compute.ts', import.meta.url);

/** Files of a run, as its compute processes read them. */
interface Inputs extends Pick<PlotsInput, 'storage' | 'files'> {
  panel: PanelKeys | null;
  pedigree: string | null;
}

export function trialAnalysisJobRegistrations(services: RunWorkerServices): JobRegistration[] {
  const { config, db } = services;
  return registerWorkInParts(
    services,
    trialAnalyses,
    { first: runTrialAnalysisJob, part: fitTrialsJob, last: finishTrialAnalysisJob },
    {
      traits: unfinishedTraits,
      needs: {},
      async inputs(row): Promise<Inputs | undefined> {
        const files = await findRunFiles(db, trialAnalysisSelection, row);
        return (
          files && {
            storage: storageLocation(config),
            files: files.phenotype.map(({ id, name, meta }) => ({
              ...{ id, name, key: originalKey(row.project_id, id), options: phenotypeOptionsOf(meta) },
            })),
            panel: files.genotype === undefined ? null : panelKeys(files.genotype),
            pedigree: files.pedigree === undefined ? null : derivedKey(files.pedigree, 'table'),
          }
        );
      },
      begin: (row, inputs, step) => prepareTrials(row, inputs, step, config.compute.chunkGflop),
      sizeOf: ({ first, plots, total }) => ({ name: String(first), size: plots, total }),
      part: fitTrials,
      finish: concludeTrials,
      store: (trx, row, outputs, { prefix }) => storeTrialOutputs(trx, prefix, row, outputs),
    },
  );
}

const plotsOf = (row: TrialAnalysisRow, { storage, files }: Inputs): PlotsInput => ({
  ...{ storage, files, parameters: row.parameters, traits: unfinishedTraits(row) },
});

/** Checks all plots, and divides the trials. */
async function prepareTrials(row: TrialAnalysisRow, inputs: Inputs, step: PartStep, chunkGflop: number) {
  const { trials } = await step.run<PlotsInput, PreparedTrials>(PREPARE, plotsOf(row, inputs));
  return { output: null, division: divide(trials, chunkGflop) };
}

/** Arithmetic of all models of a trial, in n³: some sixty inverses of the covariance of n plots. */
const INVERSES = 60;
const gflopOf = (plots: number): number => (2 * INVERSES * plots ** 3) / 1e9;

/** Neighbouring trials up to the arithmetic of a part. */
function divide(
  trials: PreparedTrials['trials'],
  chunkGflop: number,
): Division<FitTrialsPayload, FinishTrialAnalysisPayload> {
  const total = trials.reduce((sum, { plots }) => sum + plots, 0);
  const parts: { first: number; count: number; plots: number; total: number }[] = [];
  let gflop = Number.POSITIVE_INFINITY;
  for (const [first, { plots }] of trials.entries()) {
    const last = parts.at(-1);
    gflop += gflopOf(plots);
    if (last !== undefined && gflop <= chunkGflop) {
      Object.assign(last, { count: last.count + 1, plots: last.plots + plots });
      continue;
    }
    parts.push({ first, count: 1, plots, total });
    gflop = gflopOf(plots);
  }
  return { parts, last: { trials: trials.map(({ environment, trait }) => ({ environment, trait })) } };
}

/** Fits the trials of a part. */
async function fitTrials(
  row: TrialAnalysisRow,
  inputs: Inputs,
  { first, count }: FitTrialsPayload,
  { directory, run, keep }: PartStep,
): Promise<void> {
  const names = await run<FitTrialsInput, string[]>(FIT, { ...plotsOf(row, inputs), first, count, directory });
  for (const name of names) await keep(name, join(directory, name));
}

/** Puts the trials of each trait together. */
async function concludeTrials(
  row: TrialAnalysisRow,
  { storage, panel, pedigree }: Inputs,
  { trials }: FinishTrialAnalysisPayload,
  step: PartStep,
): Promise<TrialTraitOutput[]> {
  const { directory, prefix } = step;
  const outputs = await step.run<FinishTrialAnalysisInput, TrialTraitOutput[]>(FINISH, {
    ...{ storage, prefix, trials, panel, pedigree, directory },
    ...{ traits: unfinishedTraits(row), parameters: row.parameters },
  });
  await putTrialOutputs(row, outputs, step);
  return outputs;
}
