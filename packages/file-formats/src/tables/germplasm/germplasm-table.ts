/** How a germplasm came from its parents. */
export type GermplasmCross = 'BIPARENTAL' | 'BACKCROSS' | 'SELF' | 'DH' | 'CLONE' | 'OPEN_POLLINATED';

/** What a file or the catalogue says of a germplasm besides its name; parents by name, null = unknown or not given. */
export interface GermplasmContent {
  /** Population, family, panel … */
  collection: string | null;
  maternal: string | null;
  paternal: string | null;
  synonyms: string[];
  /** Null: an ordinary cross, or not given. */
  crossType: GermplasmCross | null;
  /** Generations of selfing since the cross: 0 = F1. Null: not given. */
  selfingGenerations: number | null;
  /** Other nonempty columns, by column name: accession number, origin, notes … */
  attributes: Record<string, string>;
}

/** One row of a germplasm file as written, names normalized; nothing is checked yet, so that a person can mend it. */
export interface GermplasmRow extends GermplasmContent {
  /** 1-based line of the file. */
  line: number;
  /** May be empty. */
  name: string;
  /** The crop that the row names. */
  crop: string | null;
  /** Confirmed: another line than the one whose name differs only in case, blanks or punctuation. */
  isDistinct: boolean;
}

/** A germplasm of the crop's catalogue. */
export interface CatalogueEntry extends GermplasmContent {
  name: string;
}

/**
 * What happens to germplasm that exists: nothing, only blanks are filled, or the file's values replace the stored ones.
 */
export type ExistingRule = 'keep' | 'fill' | 'overwrite';

export interface SettleOptions {
  /** The crop's existing catalogue; default empty. */
  catalogue?: readonly CatalogueEntry[];
  /** Default `keep`. */
  existing?: ExistingRule;
  /** True creates founders for parents that are named nowhere else; false reports them as errors. */
  generateUnknownParents?: boolean;
  /** Name of the crop the upload is for; a row that names another one is refused. */
  crop?: string;
  /** Labels of the file's columns, for messages. */
  columns?: GermplasmColumns;
}

export type GermplasmColumns = Partial<
  Record<'name' | 'collection' | 'crop' | 'maternal' | 'paternal' | 'synonyms', string>
>;

/** A value of a stored germplasm that the file changes, or would change. */
export interface GermplasmChange {
  field: string;
  from: string | null;
  to: string;
}

/** What becomes of a row. */
export interface SettledRow {
  line: number;
  /** `repeat`: an earlier row says the same. */
  action: 'create' | 'change' | 'same' | 'repeat' | 'refused';
  /** The stored germplasm that the row means; null for a new one. */
  target: string | null;
  /** What is created, or what a stored germplasm becomes; parents by their canonical names. */
  content: GermplasmContent;
  /** For `change`; for `same`, the differences that the rule leaves as they are. */
  changes: GermplasmChange[];
  /** Worst of the findings about the row; null without one. */
  severity: 'error' | 'warning' | 'info' | null;
}
