import type { CrossingPlanDetail } from '@heterosis/contracts/crossing-plans';

const INDICES = {
  base: 'a base index (Williams 1962)',
  smith_hazel: 'a Smith–Hazel index (Smith 1936; Hazel 1943)',
  desired_gains: 'an index of desired gains (Pesek & Baker 1969)',
  restricted: 'a restricted index (Kempthorne & Nordskog 1959)',
};

/** A paragraph for the methods section of a paper. */
export function planMethods({ traits, model, report, provenance }: CrossingPlanDetail): string {
  const { parameters, software_version } = provenance;
  const value =
    traits.length === 1
      ? `breeding values of ${traits[0]}`
      : `${INDICES[parameters.index_method]} of ${traits.join(', ')}`;
  const mates =
    parameters.mates === 'usefulness' && parameters.population !== null
      ? `the largest genetic standard deviation within crosses (${parameters.population})`
      : 'the least inbred progeny';
  return [
    `Parents were chosen by optimal contribution selection (Meuwissen 1997): the largest mean of ${value}, predicted with the model “${model?.name ?? 'deleted'}”, under a cap on their group coancestry, which was computed from genomic relationships (VanRaden 2008, method 1).`,
    report === null
      ? ''
      : `${report.crosses} crosses of ${report.parents} parents, each in at most ${parameters.max_uses}, have a group coancestry of ${report.coancestry.toPrecision(3)}${report.meets_cap ? ` (cap ${report.cap.toPrecision(3)})` : ', above the cap'}.`,
    `Parents were paired for ${mates}.`,
    `Computed with Heterosis ${software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
