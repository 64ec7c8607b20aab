import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { createGwasBody, GwasDetail } from '@heterosis/contracts/work/gwas';
import type { TFunction } from 'i18next';
import type * as z from 'zod';
import {
  type CovariateChoice,
  optionBody,
  optionsKept,
  optionValues,
  runInputValues,
  traitRunBody,
  traitRunValues,
  type WeightChoice,
} from '../../run-dialog/index.ts';
import { clumpsBody, clumpValues } from './clump-fields.tsx';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type GwasValues = ReturnType<typeof gwasValues>;

/** Values to begin with: the usual ones, or those of a GWAS that is run again, maybe given further markers. */
export function gwasValues(source: GwasDetail | undefined, given: readonly string[], t: TFunction) {
  const parameters = source?.provenance.parameters;
  return {
    ...runInputValues(source, t),
    ...(given.length === 0 || source === undefined ? {} : { name: givenName(source.name, given, t) }),
    ...optionValues(GWAS_OPTIONS, parameters),
    ...traitRunValues(parameters),
    condition_on: [...new Set([...(parameters?.condition_on ?? []), ...given])],
    clumps: clumpValues(parameters),
    kept: optionsKept(GWAS_OPTIONS, {
      ...parameters,
      // Its field is that of the covariates.
      covariate_kinds: undefined,
      seed: source?.provenance.seed,
    }),
  };
}

const LONGEST_NAME = 255;

/** What a GWAS is called at first that is run again given markers. */
function givenName(name: string, [marker = '', ...others]: readonly string[], t: TFunction): string {
  const more = others.length === 0 ? marker : t('gwas.andMore', { marker, count: others.length });
  const added = t('gwas.againGiven', { name: '', marker: more });
  return `${name.slice(0, LONGEST_NAME - added.length)}${added}`;
}

type GwasBody = z.input<typeof createGwasBody>;

export function gwasBody(
  values: GwasValues,
  renames: Pick<GwasBody, 'renames'>,
  {
    weighing,
    ploidy = 2,
    ...choice
  }: Pick<CovariateChoice, 'covariates' | 'kinds'> & { weighing: WeightChoice; ploidy?: number },
): GwasBody {
  return {
    ...values.kept,
    ...optionBody(GWAS_OPTIONS, { ...values, ...weighing }),
    ...traitRunBody(values, renames, choice),
    clumps: clumpsBody(values.clumps),
    // Its box cannot be reached where it does not apply.
    ...(ploidy === 2 ? {} : { dominance: false }),
  };
}
