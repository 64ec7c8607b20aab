import type { NumericCoding } from '@heterosis/contracts/files';

/** Objects that a check writes beside the untouched original. */
export type DerivedKind =
  | 'bed'
  | 'bim'
  | 'fam'
  | 'samples'
  | 'contigs'
  | 'snpids'
  | 'linkmaptemp'
  | 'qc'
  | 'marker_qc'
  | 'sample_qc'
  | 'table'
  | 'means';

/** Choices of the user about how a file is to be read. */
export interface CheckOptions {
  average_repeated_rows?: boolean | undefined;
  missing_codes?: string[] | undefined;
  keep_duplicate_positions?: boolean | undefined;
  /** Null: to be found by the values. */
  numeric_coding?: NumericCoding | null | undefined;
}

/** `files.meta`: what readers need and no query filters by. */
export interface FileMeta {
  /** Traits with numbers, of a phenotype file. */
  traits?: string[];
  /** Its columns of words or of the design that put individuals into groups. */
  groups?: string[];
  /** Storage keys of what the last check wrote. */
  keys?: Partial<Record<DerivedKind, string>>;
  /** Figures of a genotype that dialogs show before a run. */
  panel?: { markersAfterQc: number; missingShare: number; phased: boolean };
  /** How the numbers of a numeric matrix were read and could be read. */
  coding?: { coding: NumericCoding | null; fits: NumericCoding[] };
  options?: CheckOptions;
  /** What the sender said of the bytes; the check refuses others. */
  declared?: DeclaredBytes;
}

export interface DeclaredBytes {
  sha256?: string;
  /** SHA-256 of the SHA-256s of all parts of so many bytes. */
  parts?: { bytes: number; sha256: string };
}
