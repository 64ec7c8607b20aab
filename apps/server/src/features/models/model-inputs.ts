import { unpackRecord } from '@heterosis/analysis/binary-record';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import { openStorageLocation, type StorageLocation } from '../../platform/object-storage/storage-location.ts';
import { openStoredPanel, type PanelKeys, readObject } from '../../platform/object-storage/stored-panel.ts';
import type { ModelParameters } from './models.queries.ts';

/** What training and evaluation both are given. */
export interface ModelComputeInput {
  storage: StorageLocation;
  panel: PanelKeys;
  phenotype: string;
  traits: string[];
  hasDominance: boolean;
  optimizeSeconds: number | null;
  parameters: ModelParameters;
  /** An empty directory for the results. */
  directory: string;
}

/** Opens genotype and phenotype where they lie, for as long as `work` runs. */
export async function withModelInputs<Result>(
  input: ModelComputeInput,
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

/** Settings as the analysis wants them. */
export const settingsOf = ({ parameters, hasDominance, optimizeSeconds }: ModelComputeInput) => ({
  dominance: hasDominance,
  kinship: parameters.kinship,
  maf: parameters.thresh_maf,
  callRate: parameters.thresh_callrate,
  optimizeSeconds,
  ...(parameters.renames === undefined ? {} : { renames: parameters.renames }),
});
