/** Objects that a check writes beside the untouched original. */
export type DerivedKind = 'bed' | 'bim' | 'fam' | 'samples' | 'contigs' | 'snpids' | 'linkmaptemp' | 'qc' | 'table';

/** Choices of the user about how a file is to be read. */
export interface CheckOptions {
  average_repeated_rows?: boolean | undefined;
  missing_codes?: string[] | undefined;
}

/** `files.meta`: what readers need and no query filters by. */
export interface FileMeta {
  /** Traits with numbers, of a phenotype file. */
  traits?: string[];
  /** Storage keys of what the last check wrote. */
  keys?: Partial<Record<DerivedKind, string>>;
  /** Figures of a genotype that dialogs show before a run. */
  panel?: { markersAfterQc: number; missingShare: number; phased: boolean };
  options?: CheckOptions;
}
