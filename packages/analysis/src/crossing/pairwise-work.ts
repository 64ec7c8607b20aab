import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { CrossingGenome } from '@heterosis/statgen/crossing/crossing-genome';
import type { MapFunction } from '@heterosis/statgen/crossing/map-function';
import { AnalysisError } from '../context.ts';

/**
 * Pairs of markers on the same chromosome that one run sums, over its crosses and traits, by a map function that is
 * not multiplicative. A pair takes 0.1 to 0.2 µs, so that the longest run takes about five hours of one core.
 */
export const MAX_PAIRWISE_WORK = 1e11;

/**
 * Refuses a run that would take days: by Kosambi's map function every pair of markers of a chromosome is visited.
 * Counts all mapped markers, although only those that segregate in a cross are visited.
 *
 * @throws AnalysisError `crossing/too-many-pairs`
 */
export function requirePairwiseWork(
  { chromosomeStart }: Pick<CrossingGenome, 'chromosomeStart'>,
  {
    mapFunction = 'haldane',
    crosses,
    traits,
  }: { mapFunction?: MapFunction | undefined; crosses: number; traits: number },
): void {
  if (mapFunction === 'haldane') return;
  let pairs = 0;
  for (let c = 1; c < chromosomeStart.length; c++) {
    const markers = chromosomeStart[c] - chromosomeStart[c - 1];
    pairs += (markers * (markers + 1)) / 2;
  }
  if (pairs * crosses * traits <= MAX_PAIRWISE_WORK) return;
  const most = Math.floor(MAX_PAIRWISE_WORK / (pairs * traits));
  const count = (value: number, noun: string) => `${groupedNumber(value)} ${noun}`;
  throw new AnalysisError(
    'crossing/too-many-pairs',
    `The ${mapFunction} map function visits every pair of markers on a chromosome: ${count(pairs, 'pairs')} for each of ${count(crosses, 'crosses')} and ${count(traits, 'traits')}, and one run may visit ${groupedNumber(MAX_PAIRWISE_WORK)} in all.`,
    most >= 1
      ? `Use the Haldane map function, or at most ${count(most, most === 1 ? 'cross' : 'crosses')} in one run.`
      : 'Use the Haldane map function, or fewer traits.',
  );
}
