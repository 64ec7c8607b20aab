export { matchNames as matchIndividuals } from '@heterosis/file-formats/names/match-names';

/** A phenotype name to be read as a genotype name in one run. */
export interface Rename {
  from: string;
  to: string;
}
