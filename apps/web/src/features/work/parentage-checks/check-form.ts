import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import type { createParentageCheckBody, ParentageCheckDetail } from '@heterosis/contracts/work/parentage-checks';
import type * as z from 'zod';
import { type ChosenFile, optionBody, optionsKept, optionValues } from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type CheckValues = ReturnType<typeof checkValues>;

/** Values to begin with: the usual ones, or those of a check that is made again with changes. */
export function checkValues(source: ParentageCheckDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  return {
    name,
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    pedigree_id: (source?.pedigree ?? undefined) as ChosenFile | undefined,
    ...optionValues(PARENTAGE_OPTIONS, { ...parameters, pedigree: source?.compared_with }),
    kept: optionsKept(PARENTAGE_OPTIONS, parameters),
  };
}

/** What the request holds; of plants known to be diploids no double reduction. */
export function checkBody(values: CheckValues, ploidy?: number): z.input<typeof createParentageCheckBody> {
  const { name, genotype_id: genotype, pedigree_id: pedigree, kept } = values;
  return {
    ...kept,
    ...optionBody(PARENTAGE_OPTIONS, values),
    ...(ploidy === 2 ? { double_reduction: 0 } : {}),
    name,
    genotype_id: genotype?.id ?? '',
    ...(values.pedigree === 'file' && pedigree ? { pedigree_id: pedigree.id } : {}),
  };
}
