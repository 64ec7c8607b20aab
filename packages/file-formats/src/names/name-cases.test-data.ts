export const CATALOGUE_NAMES: string[] = ['B73', 'Mo17', 'NR 010004', 'Naspot 8', 'Naspot-8', 'Alpha', 'Beta'];
export const CATALOGUE_SYNONYMS: [synonym: string, name: string][] = [
  ['Missouri 17', 'Mo17'],
  ['Alpha', 'Beta'],
];

export interface NameCase {
  written: string;
  /** The germplasm that is meant; null when none or several could be. */
  name: string | null;
  outcome: 'exact' | 'synonym' | 'folded' | 'ambiguous' | 'unknown';
}

/** What names mean in this catalogue, whichever file or request gives them. */
export const NAME_CASES: NameCase[] = [
  { written: 'B73', name: 'B73', outcome: 'exact' },
  { written: ' B73\u00a0', name: 'B73', outcome: 'exact' },
  { written: 'b-73', name: 'B73', outcome: 'folded' },
  { written: 'Missouri 17', name: 'Mo17', outcome: 'synonym' },
  { written: 'missouri17', name: 'Mo17', outcome: 'folded' },
  { written: 'nr010004', name: 'NR 010004', outcome: 'folded' },
  { written: 'NASPOT8', name: null, outcome: 'ambiguous' },
  { written: 'Alpha', name: null, outcome: 'ambiguous' },
  { written: 'Tanzania', name: null, outcome: 'unknown' },
];
