import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readingStored, readObject, type StoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import type { ModelParameters } from './models.queries.ts';

/** Input common to training and evaluation. */
export interface ModelComputeInput extends StoredInputs {
  /** Key of the packed pedigree of single-step prediction; null without one. */
  pedigree: string | null;
  traits: string[];
  hasDominance: boolean;
  optimizeSeconds: number | null;
  parameters: ModelParameters;
  /** An empty directory for the results. */
  directory: string;
}

/** Settings under the names used by the analysis. */
export const settingsOf = ({ parameters, hasDominance, optimizeSeconds }: ModelComputeInput) => ({
  dominance: hasDominance,
  kinship: parameters.kinship,
  maf: parameters.thresh_maf,
  callRate: parameters.thresh_callrate,
  optimizeSeconds,
  covariates: (parameters.covariates ?? []).map((name) => ({ name, kind: parameters.covariate_kinds?.[name] })),
  principalComponents: parameters.fixed ?? 0,
  ...(parameters.renames === undefined ? {} : { renames: parameters.renames }),
});

/** The pedigree in the form of the analysis. */
export async function pedigreeOf({ storage, pedigree }: ModelComputeInput): Promise<{ pedigree?: PedigreeTable }> {
  if (pedigree === null) return {};
  const bytes = await readObject(openStorageLocation(storage), pedigree);
  return { pedigree: readingStored('pedigree', () => unpackRecord<PedigreeTable>(bytes)) };
}
