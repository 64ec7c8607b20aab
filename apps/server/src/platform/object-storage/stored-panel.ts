import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { openPlinkPanel } from '@heterosis/file-formats/genotype/plink-panel';
import type { ObjectStorage } from './object-storage.ts';

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

/** An object as a whole. */
export async function readObject(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<Uint8Array> {
  const source = await storage.open(key);
  try {
    return await source.read(0, source.size);
  } finally {
    await source.close();
  }
}
