import { join } from 'node:path';
import { seriesMemoryMb } from '@heterosis/analysis/trial-series/series-memory';
import { trialMemoryMb } from '@heterosis/analysis/trials/trial-memory';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration, Needs } from '../../../platform/job-queue/job.ts';
import { largestMemoryMb } from '../../../platform/job-queue/workers.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { PanelKeys } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, findRunFiles, originalKey, panelKeys, phenotypeOptionsOf } from '../../data/files/index.ts';
import { registerWorkInParts } from '../runs/kind/index.ts';
import type { Division, PartStep } from '../runs/work/index.ts';
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

export function trialAnalysisJobRegistrations(services: WorkerServices): JobRegistration[] {
  const { config, db } = services;
  return registerWorkInParts(
    services,
    trialAnalyses,
    { first: runTrialAnalysisJob, part: fitTrialsJob, last: finishTrialAnalysisJob },
    {
      traits: unfinishedTraits,
      needs: {
        part: async (_, { largest }) =>
          largest === undefined ? undefined : await memory(services, trialMemoryMb(largest)),
        last: (row, { series }) => needsOfSeries(services, row, series),
      },
      async inputs(row): Promise<Inputs | undefined> {
        const files = await findRunFiles(db, trialAnalysisSelection, row);
        return (
          files && {
            storage: storageLocation(config),
            files: files.phenotype.map(({ id, name, meta }) => ({
              ...{ id, name, key: originalKey(row.project_id, id), options: phenotypeOptionsOf(meta) },
              formerIds: meta.former_ids ?? [],
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
  const prepared = await step.run<PlotsInput, PreparedTrials>(PREPARE, plotsOf(row, inputs));
  return { output: null, division: divide(prepared, chunkGflop) };
}

/**
 * Memory alone: files are a share of it. What no worker has room for takes the largest worker for itself, and ends
 * there with words of its own.
 */
async function memory({ db }: WorkerServices, wanted: number): Promise<Needs> {
  return { memoryMb: Math.floor(Math.min(wanted, (await largestMemoryMb(db)) ?? wanted)), diskMb: 0 };
}

/** Factors that are tried where the criterion chooses; more are rare, and take a larger worker. */
const USUAL_FACTORS = 2;

/** Room for the trials of a trait together; undefined where they are not analysed together. */
async function needsOfSeries(
  services: WorkerServices,
  row: TrialAnalysisRow,
  series: FinishTrialAnalysisPayload['series'],
): Promise<Needs | undefined> {
  const { structure, dominance = false, residual_lines: residual = false } = row.parameters;
  if (series === undefined || structure === 'none') return undefined;
  const files = await findRunFiles(services.db, trialAnalysisSelection, row);
  // All that is genotyped is predicted; single step adds the pedigree.
  const related = [files?.genotype?.row_count, files?.genotype && files.pedigree?.row_count];
  const lines = Math.max(series.lines, ...related.map((count) => count ?? 0));
  const kernels = 1 + Number(dominance) + Number(residual);
  const factors = structure === 'auto' ? USUAL_FACTORS : Number(/^fa(\d)$/.exec(structure)?.[1] ?? 0);
  return await memory(services, seriesMemoryMb({ ...series, lines, kernels, factors }));
}

/** Arithmetic of all models of a trial, in n³: some sixty inverses of the covariance of n plots. */
const INVERSES = 60;
const gflopOf = (plots: number): number => (2 * INVERSES * plots ** 3) / 1e9;

/** Neighbouring trials up to the arithmetic of a part. */
function divide(
  { trials, unmeasured, series }: PreparedTrials,
  chunkGflop: number,
): Division<FitTrialsPayload, FinishTrialAnalysisPayload> {
  const total = trials.reduce((sum, { plots }) => sum + plots, 0);
  const parts: { first: number; count: number; plots: number; total: number; largest: number }[] = [];
  let gflop = Number.POSITIVE_INFINITY;
  for (const [first, { plots }] of trials.entries()) {
    const last = parts.at(-1);
    gflop += gflopOf(plots);
    if (last !== undefined && gflop <= chunkGflop) {
      Object.assign(last, {
        ...{ count: last.count + 1, plots: last.plots + plots, largest: Math.max(last.largest, plots) },
      });
      continue;
    }
    parts.push({ first, count: 1, plots, total, largest: plots });
    gflop = gflopOf(plots);
  }
  return {
    parts,
    last: {
      trials: trials.map(({ environment, trait }) => ({ environment, trait })),
      unmeasured,
      ...(series === undefined ? {} : { series }),
    },
  };
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
  { trials, unmeasured }: FinishTrialAnalysisPayload,
  step: PartStep,
): Promise<{ output: TrialTraitOutput[] }> {
  const { directory, prefix } = step;
  const outputs = await step.run<FinishTrialAnalysisInput, TrialTraitOutput[]>(FINISH, {
    ...{ storage, prefix, trials, unmeasured, panel, pedigree, directory },
    ...{ traits: unfinishedTraits(row), parameters: row.parameters },
  });
  await putTrialOutputs(row, outputs, step);
  return { output: outputs };
}
