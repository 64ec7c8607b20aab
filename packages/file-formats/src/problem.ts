/** How much a problem matters: an error blocks saving, a warning needs a tick, info only tells. */
export type Severity = 'error' | 'warning' | 'info';

/** One finding about a file, as FORMATS lists them. Codes are stable: tests and users quote them. */
export interface FileProblem {
  severity: Severity;
  /** E-…, W-… or I-…, for example `E-GT-BAD-CALL`. */
  code: string;
  /** 1-based line of the file as a text editor counts it; the header has its real line. Null when the whole file is meant. */
  line: number | null;
  /** Column name and spreadsheet letter, for example `EarHT (B)`. */
  column: string | null;
  /** The offending text, cut to 100 characters. */
  value: string | null;
  /** What is wrong, in a sentence a breeder understands. */
  message: string;
  /** What to do about it. */
  suggestion: string | null;
}

/** At most this many problems are kept in full; the totals always count all of them. */
export const MAX_LISTED_PROBLEMS = 1000;

/** Problems of one file: the first {@link MAX_LISTED_PROBLEMS} in order of appearance and the totals per code. */
export interface ProblemReport {
  problems: FileProblem[];
  totals: { errors: number; warnings: number; infos: number; byCode: Record<string, number> };
}
