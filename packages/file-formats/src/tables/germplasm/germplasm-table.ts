/** One germplasm of an upload. */
export interface GermplasmEntry {
  name: string;
  /** Population, family, panel …; null when none is given. */
  collection: string | null;
  /** Names of the parents as the file or the crop's catalogue writes them; null = unknown. */
  maternal: string | null;
  paternal: string | null;
  synonyms: string[];
  /** Further columns with content, by the name of the column: accession number, origin, notes … */
  attributes: Record<string, string>;
  /** 1-based line of the file; null for a founder that was created for a parent's name. */
  line: number | null;
}

/** What the crop holds already. */
export interface GermplasmCatalogue {
  names: Iterable<string>;
  synonyms?: Iterable<readonly [synonym: string, name: string]>;
  /** Known parents of a germplasm, by its name. */
  parentsOf?: (name: string) => { maternal: string | null; paternal: string | null } | undefined;
}

export interface GermplasmOptions {
  /** What the crop holds already; empty when left out. */
  catalogue?: GermplasmCatalogue;
  /** Parents that are named nowhere else become founders; otherwise they are errors. */
  generateUnknownParents?: boolean;
  /** Name of the crop the upload is for; a file that names another one is refused. */
  crop?: string;
  signal?: AbortSignal;
}

/** A row of a file: an entry whose parents are names as written. */
export interface GermplasmDraft extends GermplasmEntry {
  line: number;
  /** Numbers of the entries that are its parents, and its own (DeltaBreed); empty without. */
  femaleEntry: string;
  maleEntry: string;
  entryNo: string;
  /** Where the parents stand, for messages. */
  maternalColumn: string | null;
  paternalColumn: string | null;
}
