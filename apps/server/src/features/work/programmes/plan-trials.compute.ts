import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  allocationsCsv,
  type OptimumReport,
  optimumReport,
  stepsCsv,
} from '@heterosis/analysis/programmes/optimum-report';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import {
  type Evaluation,
  nextTrials,
  roundsOf,
  summarizeSearch,
} from '@heterosis/statgen/programmes/allocations/search-allocations';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import type { StoredEvaluation } from './evaluations.queries.ts';
import { openSearch, type SearchInput } from './open-search.ts';
import { FOUNDER_REPORT_NAME, type FounderReport } from './prepare-programme.compute.ts';

export interface PlanTrialsInput extends Omit<SearchInput, 'founders'> {
  storage: StorageLocation;
  /** Of what the first job has kept. */
  prefix: string;
  /** So far, in their order. */
  known: StoredEvaluation[];
  /** An empty directory for the results. */
  directory: string;
}

/** An allocation that is still to be simulated. */
export type PlannedTrial = Omit<StoredEvaluation, 'values'>;

export interface PlannedTrials {
  /** Of this round; none when the search has ended. */
  trials: PlannedTrial[];
  /** When the search has ended: what it found, and its files by kind. */
  optimum: OptimumReport | null;
  files: Record<string, string>;
}

/** The trials of the round that comes next and are not stored yet, or the end. */
export const compute: ComputeFunction<PlanTrialsInput, PlannedTrials> = async (input, context) => {
  const { storage, prefix, known, directory, search: asked } = input;
  const text = new TextDecoder().decode(
    await readObject(openStorageLocation(storage), `${prefix}${FOUNDER_REPORT_NAME}`),
  );
  const founders = JSON.parse(text) as FounderReport;
  const search = openSearch({ ...input, founders: founders.founders });
  setComputeThreads(1);
  const byPlace = new Map(known.map((one) => [one.place, one]));
  const done: Evaluation[] = [];
  for (const size of roundsOf(search.plan)) {
    const places = Array.from({ length: size }, (_, i) => done.length + i);
    const stored = places.flatMap((place) => byPlace.get(place) ?? []);
    if (stored.length < size) {
      const first = done.length;
      const trials = nextTrials(search.plan, done).map(({ allocation, block }, i) => ({
        ...{ place: first + i, allocation: [...allocation], block },
      }));
      if (trials.length === 0) break;
      return { trials: trials.filter(({ place }) => !byPlace.has(place)), optimum: null, files: {} };
    }
    done.push(...stored.map((one) => evaluationOf(one, asked.replicates)));
  }
  if (done.length === 0)
    throw Object.assign(new Error('No allocation of the numbers can be paid and done within the budget.'), {
      code: 'programmes/nothing-affordable',
      suggestion: 'Lower the smallest numbers, or raise the budget.',
    });
  context.onProgress({ stage: 'write', done: 0, total: 1 });
  const names = asked.numbers.map(({ name }) => name);
  const optimum = optimumReport(search, names, summarizeSearch(search.plan, done), done.length);
  const files = { allocations: join(directory, 'allocations.csv'), steps: join(directory, 'steps.csv') };
  await pipeline(Readable.from(allocationsCsv(optimum)), createWriteStream(files.allocations));
  await pipeline(Readable.from(stepsCsv(optimum)), createWriteStream(files.steps));
  context.onProgress({ stage: 'write', done: 1, total: 1 });
  return { trials: [], optimum, files };
};

const evaluationOf = ({ allocation, block, values }: StoredEvaluation, replicates: number): Evaluation => ({
  ...{ allocation, block },
  values: Array.from({ length: values.length / replicates }, (_, o) =>
    Float64Array.from(values.slice(o * replicates, (o + 1) * replicates)),
  ),
});
