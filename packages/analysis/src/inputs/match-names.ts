import { type MatchOptions, matchNames, type NameMatches } from '@heterosis/file-formats/names/match-names';

/** A name of the phenotype to be read as a name of the genotype, for one run. */
export interface Rename {
  from: string;
  to: string;
}

/**
 * Compares the names of a genotype (left) with those of a phenotype or a crossing table (right) in the steps that hold
 * everywhere: renamed by the user, exact, synonym, without case and punctuation; similar names as suggestions only.
 */
export function matchIndividuals(
  genotypeNames: readonly string[],
  otherNames: readonly string[],
  options: MatchOptions = {},
): NameMatches {
  return matchNames(genotypeNames, otherNames, options);
}
