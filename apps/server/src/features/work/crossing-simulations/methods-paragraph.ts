import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import { sentencesOf } from '@heterosis/contracts/options/define-options';
import type { CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function crossingMethods({ model, linkage_map, report, provenance }: CrossingSimulationDetail): string {
  const { parameters, seed, software_version } = provenance;
  const { bp_per_cm } = parameters;
  const distances =
    bp_per_cm === null
      ? `the linkage map “${linkage_map?.name ?? 'deleted'}”`
      : `physical positions (1 cM for ${groupedNumber(bp_per_cm)} bp)`;
  // What has a place of its own; all other sentences follow in the order of the table.
  const { population, map_function, selected_fraction, accuracy, ...others } = sentencesOf(
    CROSSING_OPTIONS,
    parameters,
  );
  // Without phase the mean alone is exact, which the sentence of that option says.
  const [exactly, genotypes] =
    parameters.phase === 'unknown' ? ['', 'the parental genotypes'] : ['exactly ', 'the phased parental genotypes'];
  return [
    `Mean and variance of the genetic values of ${population} were computed ${exactly}from the marker effects of the model “${model?.name ?? 'deleted'}”, ${genotypes} and ${distances}, with recombination according to ${map_function}.`,
    `The usefulness of a cross (Schnell & Utz 1975) is its mean ${parameters.low_traits.length > 0 ? 'plus or, where low values are wanted, minus' : 'plus'} the product of selection intensity (${selected_fraction}), ${accuracy} and genetic standard deviation.`,
    parameters.ploidy === undefined ? '' : pairingInWords(parameters.ploidy, parameters),
    report === null
      ? ''
      : `${report.progeny === 0 ? `${groupedNumber(report.crosses)} crosses were evaluated without simulated progeny` : `${groupedNumber(report.progeny)} progeny of ${groupedNumber(report.crosses)} crosses were simulated (seed ${seed})`}; ${groupedNumber(report.shared)} of the ${groupedNumber(report.effect_markers)} markers of the model were found in the parents.`,
    ...Object.values(others),
    `Computed with Heterosis ${software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** How the homologs of polyploids pair; what was chosen, and its default. */
function pairingInWords(
  ploidy: number,
  { pairing, preferential = 0, double_reduction: reduction }: CrossingSimulationDetail['provenance']['parameters'],
): string {
  const plants = `The plants have ${ploidy} copies of each chromosome, which`;
  const bivalents =
    preferential === 0
      ? ', any two alike'
      : `; of ${Math.round(100 * preferential)} % of the chromosomes neighbours in the file pair, of the others any two alike`;
  return pairing === 'quadrivalent'
    ? `${plants} form quadrivalents with a double reduction of up to ${(reduction ?? 1 / 7).toPrecision(3)} far from the centromere, in the middle of the markers of a chromosome${preferential === 0 ? '' : `, and otherwise bivalents${bivalents}`}.`
    : `${plants} pair as bivalents${bivalents}.`;
}
