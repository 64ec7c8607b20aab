import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { CovariateKind } from '@heterosis/contracts/work/gwas';
import type { CovariateChoice } from './covariate-fields.tsx';
import { exclusionsBody, exclusionValues } from './exclusions.ts';
import { type RunInputValues, runInputBody } from './use-run-inputs.ts';
import { type WeightChoice, weightValues } from './weights.ts';

interface EarlierParameters {
  weights?: WeightChoice['weights'] | undefined;
  standard_errors?: string[] | undefined;
  covariate_kinds?: Record<string, CovariateKind> | undefined;
  exclusions?: Exclusions | undefined;
}

/** What the shared fields of a GWAS and a training hold at first: nothing, or what an earlier run was asked for. */
export const traitRunValues = (parameters: EarlierParameters | undefined) => ({
  ...weightValues(parameters),
  covariateKinds: parameters?.covariate_kinds ?? {},
  exclusions: exclusionValues(parameters?.exclusions),
});

/** What is sent of them, and how the names of the files match. */
export const traitRunBody = <Renames extends object>(
  values: RunInputValues & Pick<ReturnType<typeof traitRunValues>, 'exclusions'>,
  renames: Renames,
  { covariates, kinds }: Pick<CovariateChoice, 'covariates' | 'kinds'>,
) => ({
  ...runInputBody(values),
  ...renames,
  ...exclusionsBody(values.exclusions),
  covariates,
  ...(Object.keys(kinds).length > 0 ? { covariate_kinds: kinds } : {}),
});
