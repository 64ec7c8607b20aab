import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  copyFounders,
  openProgramme,
  type SimulatedScheme,
  simulateSchemes,
  type TruthInput,
} from './open-programme.ts';

export interface SimulateReplicatesInput {
  storage: StorageLocation;
  /** Of the files of the founders that the first job has kept. */
  prefix: string;
  truth: TruthInput;
  schemes: ProgrammeScheme[];
  seed: number;
  /** Replicates, counted from 0. */
  first: number;
  count: number;
  /** An empty directory. */
  directory: string;
}

export const compute: ComputeFunction<SimulateReplicatesInput, SimulatedScheme[]> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  await copyFounders(storage, input.prefix, input.directory);
  const opened = await openProgramme(storage, input, context);
  return await simulateSchemes(opened, input, context);
};
