import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type HybridCounts, hybridVcf } from '@heterosis/analysis/crossing/hybrid-vcf';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { openStoredPanel, type PanelKeys } from '../../../platform/object-storage/stored-panel.ts';

export interface MakeHybridsInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Named as in the panel. */
  crosses: Cross[];
  /** An empty directory for the result. */
  directory: string;
}

export interface MakeHybridsOutput {
  counts: HybridCounts;
  path: string;
}

export const compute: ComputeFunction<MakeHybridsInput, MakeHybridsOutput> = async (input, context) => {
  const path = join(input.directory, 'hybrids.vcf.gz');
  const panel = await openStoredPanel(openStorageLocation(input.storage), input.panel);
  try {
    const { bytes, counts } = await hybridVcf({ panel, crosses: input.crosses }, true, context);
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path));
    return { counts, path };
  } finally {
    await panel.close();
  }
};
