import type { CatalogueEntry, GermplasmRow, SettledRow, SettleOptions } from './germplasm-table.ts';
import type { RowProblems } from './row-problems.ts';

/** A row that stands for a germplasm: it has a name and does not repeat an earlier row. */
export interface Draft {
  row: GermplasmRow;
  settled: SettledRow;
  /** The stored germplasm that it means; null for a new one. */
  stored: CatalogueEntry | null;
}

/** What the steps of settling share. */
export interface Settling {
  drafts: Draft[];
  /** Drafts by name, and the first of each folded name. */
  byName: Map<string, Draft>;
  byFold: Map<string, Draft>;
  storedByName: ReadonlyMap<string, CatalogueEntry>;
  options: SettleOptions;
  problems: RowProblems;
}

/** Pairs of a synonym and the name it stands for. */
export function* synonymPairs(
  entries: Iterable<{ name: string; synonyms: readonly string[] }>,
): Generator<readonly [string, string]> {
  for (const { name, synonyms } of entries) for (const synonym of synonyms) yield [synonym, name] as const;
}
