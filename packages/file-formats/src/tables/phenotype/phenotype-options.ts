import type { NameCatalogue } from '../../names/match-names.ts';
import type { TableMapping } from '../text/table-mapping.ts';
import type { DateOrder } from './dates.ts';

/** How the dates of a file become numbers. */
export interface DateChoice {
  as: 'days-after-sowing' | 'day-of-year';
  /** `2025-04-20`; without it the file has a column of the dates of sowing. */
  sowing?: string;
  /** Of dates such as 01/02/2025, when the file has none that tells. */
  order?: DateOrder;
}

/** Choices of the user about a phenotype file. */
export interface PhenotypeOptions {
  /** Individuals with several rows in a file without design columns are averaged instead of refused. */
  averageRepeatedRows?: boolean;
  /** Values that mean "missing" in this file, `-999` for example; numbers are compared as numbers. */
  missingCodes?: readonly string[];
  /** Values that look like a code for "missing" in this file and are none. */
  measuredValues?: readonly string[];
  /** Without it, dates are no numbers, and a trait of dates is kept as words (W-PH-DATE). */
  dates?: DateChoice;
  /** What a person says of the columns. */
  mapping?: TableMapping;
  /** Names of the germplasm or genotype the individuals should be found in; gives W-PH-UNMATCHED and name warnings. */
  knownNames?: readonly string[];
  catalogue?: NameCatalogue;
  signal?: AbortSignal;
}
