import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import type { ParentageCheckDetail } from '@heterosis/contracts/work/parentage-checks';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function parentageMethods({ report, provenance }: ParentageCheckDetail): string {
  const { parameters, software_version } = provenance;
  const markers = report === null ? '' : ` at ${groupedNumber(report.markers)} polymorphic markers`;
  return [
    `Genotypes were compared with the pedigree${markers} by Mendelian conflicts: calls (in polyploids dosages) that the parents cannot have given a cross, or alleles that neither parent of a line has.`,
    ...Object.values(sentencesOf(PARENTAGE_OPTIONS, parameters)),
    'Likely parents were ranked by conflicts and by likelihood ratios with genotyping errors (Marshall et al. 1998; Kalinowski et al. 2007).',
    `Computed with Heterosis ${software_version}.`,
  ].join(' ');
}
