import { matchEachName } from '@heterosis/file-formats/names/match-each-name';
import type { NameCatalogue, NameMatches } from '@heterosis/file-formats/names/match-names';
import { type Cross, parentsOfCross, withParents } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { Rename } from '../inputs/match-names.ts';

export interface CrossMatches {
  /** Pairs of a genotype name (left) and a parent name (right). */
  names: NameMatches;
  /** Parents renamed as in the genotype. */
  crosses: Cross[];
  /** Crosses with a parent that was not found, as in the table. */
  skipped: Cross[];
}

/**
 * Finds the parents of crosses among the individuals of a genotype, by the shared name matching and the run's renames.
 */
export function matchCrosses(
  crosses: readonly Cross[],
  samples: readonly string[],
  renames: readonly Rename[] = [],
  catalogue: NameCatalogue = {},
): CrossMatches {
  const parents = [...new Set(crosses.flatMap(parentsOfCross))];
  const names = matchEachName(samples, parents, { renames, catalogue });
  const sampleOf = new Map(names.both.map(({ left, right }) => [right, left]));
  const matches: CrossMatches = { names, crosses: [], skipped: [] };
  for (const cross of crosses) {
    const named = withParents(cross, (parent) => sampleOf.get(parent));
    if (named === null) matches.skipped.push(cross);
    else matches.crosses.push(named);
  }
  return matches;
}
