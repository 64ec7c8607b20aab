import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import type { StackingPlanDetail } from '@heterosis/contracts/work/stacking-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function stackingMethods(detail: Omit<StackingPlanDetail, 'methods'>): string {
  const { linkage_map, report, provenance } = detail;
  const { parameters } = provenance;
  const { targets = [], probability = 0, carriers = 1, flank = 0, recurrent, bp_per_cm = 1e6 } = parameters;
  const distances =
    linkage_map !== null || 'linkage_map' in provenance.input_sha256
      ? `the linkage map “${linkage_map?.name ?? 'deleted'}”`
      : `physical positions (1 cM for ${groupedNumber(bp_per_cm)} bp)`;
  return [
    `The crossing schedule that brings ${targets.length} target loci into one line with a probability of ${Number((100 * probability).toPrecision(6))} % was chosen among all crossing trees of the donors (Servin et al. 2004), without interference (Haldane 1919) and with distances from ${distances}.`,
    'Numbers of plants are the smallest with which each search succeeds with the same probability.',
    recurrent === undefined
      ? ''
      : `In each backcross to ${recurrent}, ${carriers} carriers of all targets were wanted; of these the plant with the most recurrent markers at ${flank} cM beside targets, and then the largest share of the recurrent genome, was kept (Frisch et al. 1999). Shares and segments were simulated (seed ${provenance.seed}).`,
    report !== null && report.success_se > 0
      ? `The probability of success was simulated, with a standard error of ${report.success_se.toPrecision(2)}.`
      : '',
    ...Object.values(sentencesOf(STACK_OPTIONS, parameters)),
    `Computed with Heterosis ${provenance.software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
