import type { NameCatalogue } from '@heterosis/file-formats/names/match-names';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { matchCrosses } from '../crossing/match-crosses.ts';

/** Crosses of a crossing table, or parents of lines in the germplasm list. */
export interface MadeCrosses {
  from: 'crossing_table' | 'germplasm';
  /** The crossing table; null: that of the first line of each pair. */
  name: string | null;
  crosses: readonly Cross[];
}

/** A pair of candidates that has been crossed, and where that is said. */
export interface MadePair {
  parents: [string, string];
  from: MadeCrosses['from'];
  /** The crossing table, or a line that descends from the pair. */
  name: string;
}

/**
 * Pairs of candidates that have been crossed, either way round, each once. Selfings and crosses of more than two
 * parents are no pairs.
 *
 * @param candidates names, to which those of the crosses are matched by the shared rule
 */
export function madePairs(
  { from, name, crosses }: MadeCrosses,
  candidates: readonly string[],
  catalogue: NameCatalogue = {},
): MadePair[] {
  const byPair = new Map<string, MadePair>();
  for (const cross of matchCrosses(crosses, candidates, [], catalogue).crosses) {
    const [one, other, ...more] = parentsOfCross(cross);
    if (one === undefined || other === undefined || one === other || more.length > 0) continue;
    const key = JSON.stringify([one, other].sort());
    if (!byPair.has(key)) byPair.set(key, { parents: [one, other], from, name: name ?? cross.name });
  }
  return [...byPair.values()];
}

/** The pairs by index of the candidates, each once. */
export function placesOfPairs(pairs: readonly MadePair[], candidates: readonly string[]): [number, number][] {
  const placeOf = new Map(candidates.map((name, place) => [name, place]));
  const places = pairs.map(({ parents: [one, other] }) => {
    const [i, j] = [placeOf.get(one) ?? -1, placeOf.get(other) ?? -1];
    return i < j ? ([i, j] as [number, number]) : ([j, i] as [number, number]);
  });
  return [...new Map(places.map((pair) => [pair.join(' '), pair])).values()];
}
