/** What stands on a plot: a line to be compared, a check, or something that only fills the field. */
export type PlotKind = 'entry' | 'check' | 'filler';

const CHECK = /^(?:c|checks?|check[ _]entry|control|true|yes|y|1)$/i;
const FILLER = /^(?:fill(?:er)?s?|borders?)$/i;

/** The kind that a word in the column of kinds means; null: nothing was written. */
export function plotKind(word: string | null): PlotKind {
  if (word === null) return 'entry';
  return FILLER.test(word) ? 'filler' : CHECK.test(word) ? 'check' : 'entry';
}
