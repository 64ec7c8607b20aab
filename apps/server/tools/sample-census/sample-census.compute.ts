import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComputeFunction } from '../../src/platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../src/platform/object-storage/storage-location.ts';

export interface CensusInput {
  storage: StorageLocation;
  /** Key of the list of individuals. */
  fam: string;
  directory: string;
}

export interface CensusOutput {
  individuals: number;
  files: { csv: string };
}

export const compute: ComputeFunction<CensusInput, CensusOutput> = async ({ storage, fam, directory }, context) => {
  const source = await openStorageLocation(storage).open(fam, 'panel.fam');
  try {
    context.onProgress({ stage: 'read', done: 0, total: source.size });
    const text = new TextDecoder().decode(await source.read(0, source.size));
    const individuals = text.split('\n').filter((line) => line !== '').length;
    const csv = join(directory, 'census.csv');
    await writeFile(csv, `individuals\n${individuals}\n`);
    return { individuals, files: { csv } };
  } finally {
    await source.close();
  }
};
