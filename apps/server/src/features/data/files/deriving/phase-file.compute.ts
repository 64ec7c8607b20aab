import { join } from 'node:path';
import { type PhaseResult, phaseGenotype } from '@heterosis/analysis/phasing/phase';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import type { ComputeFunction } from '../../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../../platform/object-storage/storage-location.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../../platform/object-storage/stored-panel.ts';

export interface PhaseFileInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the packed linkage map; null for 1 cM per Mb. */
  linkageMap: string | null;
  seed: number;
  /** Random seed for Beagle. */
  memoryMb: number;
  /** An empty directory for the result. */
  directory: string;
}

export interface PhaseFileOutput {
  result: PhaseResult;
  path: string;
}

export const compute: ComputeFunction<PhaseFileInput, PhaseFileOutput> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  const outPath = join(input.directory, 'phased.vcf.gz');
  const map = input.linkageMap === null ? undefined : await readMap(storage, input.linkageMap);
  const panel = await openStoredPanel(storage, input.panel);
  try {
    const { seed, memoryMb } = input;
    const result = await phaseGenotype(
      { panel, outPath, seed, memoryMb, ...(map === undefined ? {} : { map }) },
      context,
    );
    return { result, path: outPath };
  } finally {
    await panel.close();
  }
};

async function readMap(storage: Parameters<typeof readObject>[0], key: string): Promise<LinkageMap> {
  const bytes = await readObject(storage, key);
  return readingStored('linkage map', () => unpackRecord<LinkageMap>(bytes));
}
