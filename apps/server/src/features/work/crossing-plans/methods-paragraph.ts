import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import { sentencesOf } from '@heterosis/contracts/options/define-options';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function planMethods({ traits, model, pedigree, report, provenance }: CrossingPlanDetail): string {
  const { parameters, software_version } = provenance;
  // What has a place of its own; all other sentences follow in the order of the table.
  const { index_method, max_uses, mates, candidates_from, made_from, allow_made, ...others } = sentencesOf(
    PLAN_OPTIONS,
    parameters,
  );
  const value = traits.length === 1 ? `breeding values of ${traits[0]}` : `${index_method} of ${traits.join(', ')}`;
  const made = report?.made_pairs ?? 0;
  return [
    `Parents were chosen by optimal contribution selection (Meuwissen 1997): the largest mean of ${value}, predicted with the ${candidates_from} “${model?.name ?? 'deleted'}”, under a cap on their group coancestry, which was computed from ${
      parameters.coancestry === 'pedigree'
        ? `the pedigree “${pedigree?.name ?? 'deleted'}” (${parameters.ploidy === undefined ? 'Colleau 2002' : 'Kerr et al. 2012'})`
        : 'genomic relationships (VanRaden 2008, method 1)'
    }${parameters.ploidy === undefined ? '' : `, divided by the ploidy ${parameters.ploidy} to be coancestries of single genes`}.`,
    parameters.ploidy === undefined || parameters.population === null
      ? ''
      : 'Spreads within crosses are those of F1s under bivalents of any two homologs.',
    report === null
      ? ''
      : `${report.crosses} crosses of ${report.parents} parents, ${max_uses}, have a group coancestry of ${report.coancestry.toPrecision(3)}${report.meets_cap ? ` (cap ${report.cap.toPrecision(3)})` : ', above the cap'}.`,
    traits.length > 1 && report?.index_information === 'model'
      ? 'The model was fitted to the traits together, so that the covariance of predicted with true breeding values is that of the predicted ones (Henderson 1975).'
      : '',
    mates,
    made === 0
      ? ''
      : `${groupedNumber(made)} ${made === 1 ? 'pair that has' : 'pairs that have'} been crossed already, according to ${made_from}, ${allow_made}.`,
    ...Object.values(others),
    `Computed with Heterosis ${software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
