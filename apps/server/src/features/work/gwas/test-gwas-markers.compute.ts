import { writeFile } from 'node:fs/promises';
import { columnsToBytes, gwasStateFromBytes } from '@heterosis/analysis/gwas/gwas-columns';
import { testGwasMarkers } from '@heterosis/analysis/gwas/test-gwas-markers';
import type { MarkerRange } from '@heterosis/analysis/inputs/open-panel';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { readKept } from '../../../platform/object-storage/left-out.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  openStoredBlocks,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';

export interface TestGwasMarkersInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the places kept; null when nothing was to be left out. */
  kept: string | null;
  /** Key of the prepared tests. */
  state: string;
  range: MarkerRange;
  /** File to write. */
  file: string;
}

export const compute: ComputeFunction<TestGwasMarkersInput, null> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  const bytes = await readObject(storage, input.state);
  const state = readingStored('state of a GWAS', () => gwasStateFromBytes(bytes));
  const kept = input.kept === null ? null : (await readKept(storage, input.kept)).kept;
  const whole = await openStoredBlocks(storage, input.panel);
  const panel = kept === null ? whole : subsetBlocks(whole, kept);
  try {
    await writeFile(input.file, columnsToBytes(await testGwasMarkers(state, panel, input.range, context)));
  } finally {
    await panel.close();
  }
  return null;
};
