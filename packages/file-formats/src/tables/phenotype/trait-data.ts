import type { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import type { ReadDate } from './dates.ts';
import type { PhenotypeHeader, TraitHeader } from './phenotype-header.ts';

/** The rows of a trait's observations; shared by all traits of a wide file. */
export interface Rows {
  individual: GrowingInt32;
  cell: GrowingInt32;
  line: GrowingInt32;
  /** Number of the combination of all design columns, for finding repeated observations; long files only. */
  design: GrowingInt32 | null;
  /** Milliseconds since 1970, NaN without; long files with timestamps only. */
  time: GrowingFloat64 | null;
  /** The date of sowing by row; null in a file without such a column. */
  sowing: (ReadDate | null)[] | null;
}

/** A cell as it is written, and the row of its observation. */
export interface WrittenCell {
  line: number;
  text: string;
  row: number;
}

export interface TraitData {
  header: TraitHeader;
  column: string;
  rows: Rows;
  /** NaN = missing or not a number. */
  values: GrowingFloat64;
  numberCount: number;
  textCount: number;
  /** Words by row, −1 for rows without one; null as long as there is none. */
  words: TraitWords | null;
  /** The first cells that are neither numbers nor dates. */
  texts: WrittenCell[];
  /** Among the words, those that say by themselves that the value is missing; known when all rows are read. */
  missingWordCount: number;
  /** The cells that are dates; null as long as there is none. */
  dates: TraitDates | null;
  /** Its dates became numbers. */
  isOfDates: boolean;
  /** The first TRUE or FALSE, which are read as 1 and 0; null as long as there is none. */
  truth: { line: number; cell: string } | null;
  /** It is given as a covariate of the others. */
  isCovariate: boolean;
}

/** The words of a column, numbered in order of appearance. */
export interface WordIds {
  ids: Map<string, number>;
  words: string[];
}

/** The words of a trait by row. */
export interface TraitWords {
  known: WordIds;
  /** Shorter than the trait when its last rows have no words. */
  codes: GrowingInt32;
}

/** Both readings of the dates of a trait by row; NaN for rows without one. Shorter when its last rows have none. */
export interface TraitDates {
  dayFirst: GrowingFloat64;
  monthFirst: GrowingFloat64;
  count: number;
  /** The first of them, as they are written. */
  texts: WrittenCell[];
}

/** The traits of a file with their cells, before any of them is settled. */
export interface CollectedTraits {
  header: PhenotypeHeader;
  headerLine: number;
  traits: TraitData[];
  /** Dates of sowing as they are written. */
  sowings: ReadonlyMap<string, ReadDate>;
}
