import type { NameCatalogue } from '../../names/match-names.ts';
import type { TableMapping } from '../text/table-mapping.ts';

/** Choices of the user about a phenotype file. */
export interface PhenotypeOptions {
  /** Individuals with several rows in a file without design columns are averaged instead of refused. */
  averageRepeatedRows?: boolean;
  /** Values that mean "missing" in this file, `-999` for example; numbers are compared as numbers. */
  missingCodes?: readonly string[];
  /** What a person says of the columns. */
  mapping?: TableMapping;
  /** Names of the germplasm or genotype the individuals should be found in; gives W-PH-UNMATCHED and name warnings. */
  knownNames?: readonly string[];
  catalogue?: NameCatalogue;
  signal?: AbortSignal;
}
