import { writeFile } from 'node:fs/promises';
import { computeTile, type TrainingTile } from '@heterosis/analysis/prediction/train-in-parts';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { openStoredBlocks, type PanelKeys } from '../../../platform/object-storage/stored-panel.ts';
import { readTrainingState } from './training-state.ts';

export interface MultiplyMarkersInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the state of the training. */
  state: string;
  tile: TrainingTile;
  /** File to write: the numbers of the tile as they lie in memory, little-endian on every supported machine. */
  file: string;
}

/** Computes one tile of the products of the markers. */
export const compute: ComputeFunction<MultiplyMarkersInput, null> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  const { plan, kept } = await readTrainingState(storage, input.state);
  const whole = await openStoredBlocks(storage, input.panel);
  try {
    const panel = kept === null ? whole : subsetBlocks(whole, kept.places);
    await writeFile(input.file, await computeTile(panel, plan, input.tile, context));
  } finally {
    await whole.close();
  }
  return null;
};
