import { unpackRecord } from '@heterosis/analysis/binary-record';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { openPlinkPanel } from '@heterosis/file-formats/genotype/plink-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import type { ObjectStorage } from './object-storage.ts';
import { openStorageLocation, type StorageLocation } from './storage-location.ts';

/** Keys of the parts of an imported genotype: what a compute process needs to read it. */
export interface PanelKeys {
  bed: string;
  bim: string;
  fam: string;
}

/** Opens an imported genotype where it lies; calls are read by byte range. Close it. */
export async function openStoredPanel(
  storage: Pick<ObjectStorage, 'open'>,
  { bed, bim, fam }: PanelKeys,
): Promise<GenotypePanel> {
  return await openPlinkPanel({
    bed: await storage.open(bed, 'genotype.bed'),
    bim: await storage.open(bim, 'genotype.bim'),
    fam: await storage.open(fam, 'genotype.fam'),
  });
}

/** Genotype and phenotype of a run, as a compute process is told of them. */
export interface StoredInputs {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the packed phenotype table. */
  phenotype: string;
}

/** Opens genotype and phenotype where they lie, for as long as `work` runs. */
export async function withStoredInputs<Result>(
  input: StoredInputs,
  work: (panel: GenotypePanel, phenotype: PhenotypeTable) => Promise<Result>,
): Promise<Result> {
  const storage = openStorageLocation(input.storage);
  const phenotype = unpackRecord<PhenotypeTable>(await readObject(storage, input.phenotype));
  const panel = await openStoredPanel(storage, input.panel);
  try {
    return await work(panel, phenotype);
  } finally {
    await panel.close();
  }
}

/** An object as a whole. */
export async function readObject(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<Uint8Array> {
  const source = await storage.open(key);
  try {
    return await source.read(0, source.size);
  } finally {
    await source.close();
  }
}
