import type { CrossingPlanDetail, CrossingPlanParameters } from '@heterosis/contracts/work/crossing-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

const INDICES = {
  base: 'a base index (Williams 1962)',
  smith_hazel: 'a Smith–Hazel index (Smith 1936; Hazel 1943)',
  desired_gains: 'an index of desired gains (Pesek & Baker 1969)',
  restricted: 'a restricted index (Kempthorne & Nordskog 1959)',
};

const SOURCES = { germplasm: 'the germplasm list', crossing_tables: 'all crossing tables of the project' };

function madeWords(pairs: number, { made_from, allow_made }: CrossingPlanParameters): string {
  const sources = made_from.map((one) => SOURCES[one]);
  const from = sources.length > 0 ? sources.join(' and ') : 'a crossing table';
  const count = `${groupedNumber(pairs)} ${pairs === 1 ? 'pair that has' : 'pairs that have'}`;
  return `${count} been crossed already, according to ${from}, ${allow_made ? 'could be crossed again' : 'were left out unless required'}.`;
}

/** A paragraph for the methods section of a paper. */
export function planMethods({ traits, model, pedigree, report, provenance }: CrossingPlanDetail): string {
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
    `Parents were chosen by optimal contribution selection (Meuwissen 1997): the largest mean of ${value}, predicted with the ${parameters.candidates_from === 'model' ? 'single-step model' : 'model'} “${model?.name ?? 'deleted'}”, under a cap on their group coancestry, which was computed from ${
      parameters.coancestry === 'pedigree'
        ? `the pedigree “${pedigree?.name ?? 'deleted'}” (Colleau 2002)`
        : 'genomic relationships (VanRaden 2008, method 1)'
    }.`,
    report === null
      ? ''
      : `${report.crosses} crosses of ${report.parents} parents, each in at most ${parameters.max_uses}, have a group coancestry of ${report.coancestry.toPrecision(3)}${report.meets_cap ? ` (cap ${report.cap.toPrecision(3)})` : ', above the cap'}.`,
    `Parents were paired for ${mates}.`,
    report === null || report.made_pairs === 0 ? '' : madeWords(report.made_pairs, parameters),
    `Computed with Heterosis ${software_version}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
