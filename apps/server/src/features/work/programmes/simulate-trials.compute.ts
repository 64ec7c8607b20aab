import { simulateTrials } from '@heterosis/analysis/programmes/optimise-programme';
import { openSimulator } from '@heterosis/analysis/programmes/run-programme';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { StoredEvaluation } from './evaluations.queries.ts';
import { copyFounders, impossible, openProgramme, type TruthInput } from './open-programme.ts';
import { openSearch, type SearchInput } from './open-search.ts';
import type { PlannedTrial } from './plan-trials.compute.ts';

export interface SimulateTrialsInput extends Omit<SearchInput, 'founders'> {
  storage: StorageLocation;
  /** Of the files of the founders that the first job has kept. */
  prefix: string;
  truth: TruthInput;
  trials: PlannedTrial[];
  /** An empty directory. */
  directory: string;
}

export const compute: ComputeFunction<SimulateTrialsInput, StoredEvaluation[]> = async (input, context) => {
  const { prefix, directory, trials, seed, scheme } = input;
  const storage = openStorageLocation(input.storage);
  await copyFounders(storage, prefix, directory);
  const { material, truth } = await openProgramme(storage, input, context);
  const search = openSearch({ ...input, founders: material.founderNames.length });
  const simulator = openSimulator({ material, truth, seed }, context);
  try {
    const total = trials.length * search.replicates;
    let ended = 0;
    const onProgress = () => context.onProgress({ stage: 'simulate', done: ended++, total });
    const found = await simulateTrials(simulator, search, { trials, done: 0 }, { ...context, onProgress });
    return found.map(({ values }, i) => ({
      ...(trials[i] ?? { place: 0, allocation: [], block: 0 }),
      values: values.flatMap((one) => Array.from(one)),
    }));
  } catch (error) {
    if (error instanceof StatgenError) throw impossible(scheme.name, error);
    throw error;
  } finally {
    await simulator.close();
  }
};
