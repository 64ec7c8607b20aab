/** One germplasm of an upload. */
export interface GermplasmEntry {
  name: string;
  /** Population, family, panel …; null when none is given. */
  collection: string | null;
  /** Names of the parents as in the file or the crop's catalogue; null = unknown. */
  maternal: string | null;
  paternal: string | null;
  synonyms: string[];
  /** Other nonempty columns, by column name: accession number, origin, notes … */
  attributes: Record<string, string>;
  /** 1-based line of the file; null for a founder that was created for a parent's name. */
  line: number | null;
}

/** The crop's existing catalogue. */
export interface GermplasmCatalogue {
  names: Iterable<string>;
  synonyms?: Iterable<readonly [synonym: string, name: string]>;
  /** Known parents of a germplasm, by its name. */
  parentsOf?: (name: string) => { maternal: string | null; paternal: string | null } | undefined;
}

export interface GermplasmOptions {
  /** The crop's existing catalogue; default empty. */
  catalogue?: GermplasmCatalogue;
  /** True creates founders for parents that are named nowhere else; false reports them as errors. */
  generateUnknownParents?: boolean;
  /** Name of the crop the upload is for; a file that names another one is refused. */
  crop?: string;
  signal?: AbortSignal;
}

/** A row of a file: an entry with parent names as written. */
export interface GermplasmDraft extends GermplasmEntry {
  line: number;
  /** Numbers of the entry's parents and its own (DeltaBreed); empty without them. */
  femaleEntry: string;
  maleEntry: string;
  entryNo: string;
  /** Position of the parents, for messages. */
  maternalColumn: string | null;
  paternalColumn: string | null;
}
