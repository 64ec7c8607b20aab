import type { KernelModel } from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import { fixedMarkersOf } from '@heterosis/analysis/prediction/fixed-markers/fixed-markers';
import type { ChainLengths } from '@heterosis/analysis/prediction/sampling/chains';
import type { TrainInput } from '@heterosis/analysis/prediction/train-model';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { InputsOf } from '@heterosis/contracts/options/define-options';
import type { TRAINING_OPTIONS } from '@heterosis/contracts/options/models';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type CovarianceObject, knownErrorsOf } from '../../../platform/object-storage/stored-covariance.ts';
import { readingStored, readObject, type StoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import type { ModelParameters } from './models.queries.ts';

/** Input common to training and evaluation. */
export interface ModelComputeInput extends StoredInputs {
  /** Key of the packed pedigree of single-step prediction; null without one. */
  pedigree: string | null;
  /** By which the values weigh; null without weights, and by standard errors. */
  covariance: CovarianceObject | null;
  traits: string[];
  options: InputsOf<typeof TRAINING_OPTIONS>;
  model: KernelModel;
  /** Of models by sampling. */
  chains: ChainLengths;
  parameters: ModelParameters;
  /** An empty directory for the results. */
  directory: string;
}

/** Only what the analysis knows: an option that it does not take is no option. */
type TrainingOptions = Pick<TrainInput, keyof InputsOf<typeof TRAINING_OPTIONS>>;

/** Settings under the names used by the analysis. */
export const settingsOf = ({ parameters, options }: ModelComputeInput) => ({
  ...(options satisfies TrainingOptions),
  covariates: (parameters.covariates ?? []).map((name) => ({ name, kind: parameters.covariate_kinds?.[name] })),
  ...(parameters.renames === undefined ? {} : { renames: parameters.renames }),
});

/** Pedigree, covariance and markers with fixed effects in the form of the analysis. */
export const storedExtras = async (input: ModelComputeInput, panel: GenotypePanel, phenotype: PhenotypeTable) => ({
  ...(await pedigreeOf(input)),
  ...(await knownErrorsOf(input, phenotype)),
  ...(await fixedMarkersOf(panel, input.parameters.fixed_markers)),
});

async function pedigreeOf({ storage, pedigree }: ModelComputeInput): Promise<{ pedigree?: PedigreeTable }> {
  if (pedigree === null) return {};
  const bytes = await readObject(openStorageLocation(storage), pedigree);
  return { pedigree: readingStored('pedigree', () => unpackRecord<PedigreeTable>(bytes)) };
}
