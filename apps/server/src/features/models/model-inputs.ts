import type { StoredInputs } from '../../platform/object-storage/stored-panel.ts';
import type { ModelParameters } from './models.queries.ts';

/** Input common to training and evaluation. */
export interface ModelComputeInput extends StoredInputs {
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
