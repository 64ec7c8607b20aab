import type { CrossingSimulationDetail, Population } from '@heterosis/contracts/work/crossing-simulations';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** A paragraph for the methods section of a paper. */
export function crossingMethods({ model, linkage_map, report, provenance }: CrossingSimulationDetail): string {
  const { parameters, seed, software_version } = provenance;
  const { selected_fraction, accuracy, low_traits, bp_per_cm, map_function } = parameters;
  const distances =
    bp_per_cm === null
      ? `the linkage map “${linkage_map?.name ?? 'deleted'}”`
      : `physical positions (1 cM for ${groupedNumber(bp_per_cm)} bp)`;
  return [
    `Mean and variance of the genetic values of ${inWords(parameters.population)} were computed exactly from the marker effects of the model “${model?.name ?? 'deleted'}”, the phased parental genotypes and ${distances}, with recombination according to ${map_function === 'kosambi' ? 'Kosambi (1943)' : 'Haldane (1919)'}.`,
    `The usefulness of a cross (Schnell & Utz 1975) is its mean ${low_traits.length > 0 ? 'plus or, where low values are wanted, minus' : 'plus'} the product of selection intensity (best ${percent(selected_fraction)} %), accuracy (${accuracy}) and genetic standard deviation.`,
    report === null
      ? ''
      : `${report.progeny === 0 ? `${groupedNumber(report.crosses)} crosses were evaluated without simulated progeny` : `${groupedNumber(report.progeny)} progeny of ${groupedNumber(report.crosses)} crosses were simulated (seed ${seed})`}; ${groupedNumber(report.shared)} of the ${groupedNumber(report.effect_markers)} markers of the model were found in the parents.`,
    ...(low_traits.length > 0 ? [`Lower is better for ${low_traits.join(', ')}.`] : []),
    `Computed with Heterosis ${software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Prints 7 instead of 7.000000000000001. */
const percent = (share: number): number => Number((share * 100).toPrecision(12));

const ORDINALS = ['first', 'second', 'third'];

function inWords(population: Population): string {
  if (population === 'DH') return 'doubled haploid lines';
  if (population === 'RIL') return 'recombinant inbred lines';
  const [, first, parent] = /^BC(\d)_(female|male)/.exec(population) ?? [];
  const plants =
    first === undefined
      ? `${population.replace('_DH', '')} plants`
      : `the ${ORDINALS[Number(first) - 1] ?? first} backcross to the ${parent} parent`;
  if (population.endsWith('_DH')) return `doubled haploid lines from ${plants}`;
  if (first !== undefined) return plants;
  return `${population} progeny`;
}
