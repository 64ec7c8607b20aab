import {
  type CovariateKind,
  type createGwasBody,
  type GwasDetail,
  MAX_STEPS,
  PERMUTATIONS,
} from '@heterosis/contracts/gwas';
import type { TFunction } from 'i18next';
import type * as z from 'zod';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, optionalNumberError } from '../../../lib/form/form.ts';
import {
  type covariateChoice,
  exclusionsBody,
  exclusionValues,
  runInputBody,
  runInputValues,
} from '../run-dialog/index.ts';
import { clumpsBody, clumpValues } from './clump-fields.tsx';

export const LIMITS = {
  fixed: { min: 0, max: 20, isWhole: true },
  permutations: { min: PERMUTATIONS.fewest, max: PERMUTATIONS.most, isWhole: true },
  stepwise: { min: 1, max: MAX_STEPS, isWhole: true },
  thresh_maf: { min: 0, max: 0.5 },
  thresh_callrate: { min: 0, max: 1 },
};

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type GwasValues = ReturnType<typeof gwasValues>;

/** Values to begin with: the usual ones, or those of a GWAS that is run again, maybe given further markers. */
export function gwasValues(source: GwasDetail | undefined, given: readonly string[], t: TFunction) {
  const parameters = source?.provenance.parameters;
  return {
    ...runInputValues(source, t),
    ...(given.length === 0 || source === undefined ? {} : { name: givenName(source.name, given, t) }),
    test: (source?.test ?? 'LRT') as GwasDetail['test'],
    fixed: (source?.fixed ?? 0) as FieldNumber,
    covariates: source?.covariates ?? [],
    covariateKinds: (parameters?.covariate_kinds ?? {}) as Record<string, CovariateKind>,
    condition_on: [...new Set([...(source?.condition_on ?? []), ...given])],
    dominance: source?.dominance ?? false,
    exclusions: exclusionValues(parameters?.exclusions),
    loco: source?.loco ?? false,
    permutations: (parameters?.permutations ?? '') as FieldNumber,
    stepwise: (parameters?.stepwise ?? '') as FieldNumber,
    clumps: clumpValues(parameters),
    thresh_maf: (source?.thresh_maf ?? 0.05) as FieldNumber,
    thresh_callrate: (source?.thresh_callrate ?? 0.9) as FieldNumber,
  };
}

const LONGEST_NAME = 255;

/** What a GWAS is called at first that is run again given markers. */
function givenName(name: string, [marker = '', ...others]: readonly string[], t: TFunction): string {
  const more = others.length === 0 ? marker : t('gwas.andMore', { marker, count: others.length });
  const added = t('gwas.againGiven', { name: '', marker: more });
  return `${name.slice(0, LONGEST_NAME - added.length)}${added}`;
}

/** Field → what is wrong with its number. */
export function gwasNumberErrors(t: TFunction, values: GwasValues) {
  const errorOf = (field: keyof typeof LIMITS) => numberError(t, values[field], LIMITS[field]);
  return {
    fixed: errorOf('fixed'),
    permutations: optionalNumberError(t, values.permutations, LIMITS.permutations),
    stepwise: stepsOf(values) === undefined ? undefined : errorOf('stepwise'),
    thresh_maf: errorOf('thresh_maf'),
    thresh_callrate: errorOf('thresh_callrate'),
  };
}

type GwasBody = z.input<typeof createGwasBody>;

export function gwasBody(
  values: GwasValues,
  renames: Pick<GwasBody, 'renames'>,
  covariates: Pick<ReturnType<typeof covariateChoice>, 'covariates' | 'kinds'>,
): GwasBody {
  return {
    ...runInputBody(values),
    ...renames,
    ...exclusionsBody(values.exclusions),
    test: values.test,
    fixed: numberOf(values.fixed),
    covariates: covariates.covariates,
    covariate_kinds: covariates.kinds,
    condition_on: values.condition_on,
    dominance: values.dominance,
    loco: values.loco,
    permutations: values.permutations === '' ? undefined : numberOf(values.permutations),
    stepwise: stepsOf(values),
    clumps: clumpsBody(values.clumps),
    thresh_maf: numberOf(values.thresh_maf),
    thresh_callrate: numberOf(values.thresh_callrate),
  };
}

/** Steps of the multi-locus model; undefined for none. */
export const stepsOf = ({ stepwise, loco }: Pick<GwasValues, 'stepwise' | 'loco'>): number | undefined =>
  loco || stepwise === '' ? undefined : numberOf(stepwise);
