import { formatStatistic } from '@heterosis/charts/format';
import type { Minutes, MinutesLine } from './minutes.ts';

/** What came of a meeting, a sentence each; none names a person. */
export function factsOf({ set, settings, source, lines, list, notes }: Minutes): string[] {
  const count = (mark: MinutesLine['mark']) => lines.filter((line) => line.mark === mark).length;
  const diversity = set.coancestry === null ? '' : `, mean coancestry ${formatStatistic(set.coancestry)}`;
  const families =
    set.families === null || set.effective_families === null
      ? 'families unknown'
      : `${set.families} families, effectively ${formatStatistic(set.effective_families)}`;
  return [
    `${count('ADVANCE')} of ${lines.length} lines advance, ${count('HOLD')} on hold, ${count('DROP')} dropped, ${count('UNDECIDED')} undecided. List: ${list}.`,
    `The set: ${families}${diversity}; ${set.plots} plots${set.seed_g === null ? '' : `, ${formatStatistic(set.seed_g)} g of seed`}.`,
    `Candidates from ${source.name}. Check: ${settings.check ?? 'none'}. Index: ${settings.index_method.replaceAll('_', ' ')}; best ${settings.best}${settings.is_blind ? '; names were hidden' : ''}.`,
    ...notes,
  ];
}

export const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`);
