import type { NameMatches } from '@heterosis/file-formats/names/match-names';
import { type Cross, parentsOfCross, withParents } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { matchIndividuals, type Rename } from '../inputs/match-names.ts';

export interface CrossMatches {
  /** Names of the genotype (left) and of the parents (right). */
  names: NameMatches;
  /** With the parents named as the genotype names them. */
  crosses: Cross[];
  /** Crosses with a parent that was not found, as the table has them. */
  skipped: Cross[];
}

/** Finds the parents of crosses among the individuals of a genotype, by the one name resolution and the renames of the run. */
export function matchCrosses(
  crosses: readonly Cross[],
  samples: readonly string[],
  renames: readonly Rename[] = [],
): CrossMatches {
  const parents = [...new Set(crosses.flatMap(parentsOfCross))];
  const names = matchIndividuals(samples, parents, { renames });
  const sampleOf = new Map(names.both.map(({ left, right }) => [right, left]));
  const matches: CrossMatches = { names, crosses: [], skipped: [] };
  for (const cross of crosses) {
    const named = withParents(cross, (parent) => sampleOf.get(parent));
    if (named === null) matches.skipped.push(cross);
    else matches.crosses.push(named);
  }
  return matches;
}
