import type { ProblemDetails } from '../../problem.ts';
import type { CatalogueEntry, GermplasmRow, SettledRow, SettleOptions } from './germplasm-table.ts';
import type { RowProblems } from './row-problems.ts';

/** A row that stands for a germplasm: it has a name and does not repeat an earlier row. */
export interface Draft {
  row: GermplasmRow;
  settled: SettledRow;
  /** The stored germplasm that it means; null for a new one. */
  stored: CatalogueEntry | null;
  /** Its synonyms that belong to another: reported, and never looked up. */
  taken: Set<string>;
}

/** What the steps of settling share. */
export interface Settling {
  drafts: Draft[];
  /** Drafts by name, and the first of each folded name. */
  byName: Map<string, Draft>;
  byFold: Map<string, Draft>;
  /** Those of which the file spells the name otherwise than the list, by the name in the list. */
  byCanonical: Map<string, Draft>;
  storedByName: ReadonlyMap<string, CatalogueEntry>;
  /** The germplasm that has a synonym, by the name under which it is known; of all synonyms, stored or in the file. */
  ownerOf: Map<string, string>;
  options: SettleOptions;
  problems: RowProblems;
}

/** The name under which a row is known: of the stored germplasm that it means, or its own. */
export const canonical = ({ row, stored }: Draft): string => stored?.name ?? row.name;

/** The row of the file about the germplasm that is known under a name. */
export function draftNamed(name: string, { byName, byCanonical }: Settling): Draft | undefined {
  const draft = byCanonical.get(name) ?? byName.get(name);
  return draft !== undefined && canonical(draft) === name ? draft : undefined;
}

/** Details of W-NAME-FOLDED for a parent that is written otherwise than the germplasm that it means. */
export const foldedParentProblem = (
  { name, line, column }: { name: string; line: number; column: string | null },
  meant: string,
): ProblemDetails & { line: number } => ({
  ...{ line, column, value: name },
  message: `The parent "${name}" was taken as "${meant}": they differ only in case, blanks or punctuation.`,
  suggestion: `Write "${meant}", or confirm when this is right.`,
});

/** Pairs of a synonym and the name it stands for. */
export function* synonymPairs(
  entries: Iterable<{ name: string; synonyms: readonly string[] }>,
): Generator<readonly [string, string]> {
  for (const { name, synonyms } of entries) for (const synonym of synonyms) yield [synonym, name] as const;
}
