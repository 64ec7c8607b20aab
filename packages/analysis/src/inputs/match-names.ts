export { matchNames as matchIndividuals } from '@heterosis/file-formats/names/match-names';

/** A name of the phenotype to be read as a name of the genotype, for one run. */
export interface Rename {
  from: string;
  to: string;
}
