import type { NameMatches } from '@heterosis/file-formats/names/match-names';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { matchIndividuals, type Rename } from '../inputs/match-names.ts';

export interface CrossMatches {
  /** Names of the genotype (left) and of the parents (right). */
  names: NameMatches;
  /** With the parents named as the genotype names them. */
  crosses: Cross[];
  /** Crosses of which a parent was not found, as the table has them. */
  skipped: Cross[];
}

/** Finds the parents of crosses among the individuals of a genotype, by the one name resolution and the renames of the run. */
export function matchCrosses(
  crosses: readonly Cross[],
  samples: readonly string[],
  renames: readonly Rename[] = [],
): CrossMatches {
  const parents = [...new Set(crosses.flatMap(({ female, male }) => [female, male]))];
  const names = matchIndividuals(samples, parents, { renames });
  const sampleOf = new Map(names.both.map(({ left, right }) => [right, left]));
  const matches: CrossMatches = { names, crosses: [], skipped: [] };
  for (const cross of crosses) {
    const female = sampleOf.get(cross.female);
    const male = sampleOf.get(cross.male);
    if (female === undefined || male === undefined) matches.skipped.push(cross);
    else matches.crosses.push({ ...cross, female, male });
  }
  return matches;
}
