import { ambiguityText } from '../../names/match-names.ts';
import { createNameResolver, type NameResolver } from '../../names/name-resolver.ts';
import { foldName, nameFault } from '../../names/normalize-name.ts';
import type { ProblemReport } from '../../problem.ts';
import { checkParents } from './check-parents.ts';
import { checkSynonyms } from './check-synonyms.ts';
import { changesOf, contentOf, isSameContent, merged } from './germplasm-content.ts';
import type {
  CatalogueEntry,
  ExistingRule,
  GermplasmChange,
  GermplasmRow,
  SettledRow,
  SettleOptions,
} from './germplasm-table.ts';
import { RowProblems } from './row-problems.ts';
import { canonical, type Draft, type Settling, synonymPairs } from './settling.ts';

export interface Settlement {
  /** One for each row, in their order. */
  rows: SettledRow[];
  /** Parents named nowhere else, which are created without parents of their own. */
  founders: string[];
  report: ProblemReport;
}

/**
 * Decides what becomes of the rows of a germplasm file: which stored germplasm each means (by the shared name
 * matching), what is created and what changes. Rows may be in any order: parents are looked up among the rows and in
 * the catalogue. Finds all problems in one pass; nothing should be stored while an error remains. O(rows + catalogue),
 * besides the index for suggestions, which the first unknown parent builds.
 */
export function settleGermplasm(rows: readonly GermplasmRow[], options: SettleOptions = {}): Settlement {
  const catalogue = options.catalogue ?? [];
  const settling: Settling = {
    drafts: [],
    byName: new Map(),
    byFold: new Map(),
    byCanonical: new Map(),
    storedByName: new Map(catalogue.map((entry) => [entry.name, entry])),
    ownerOf: new Map(synonymPairs(catalogue)),
    options,
    problems: new RowProblems(),
  };
  const stored = createNameResolver(settling.storedByName.keys(), synonymPairs(catalogue));
  const settled = rows.map((row) => settleName(row, stored, settling));
  checkSynonyms(settling);
  const founders = checkParents(settling);
  for (const draft of settling.drafts) applyRule(draft, options.existing ?? 'keep');
  for (const one of settled) {
    one.severity = settling.problems.worstOf(one.line);
    if (one.severity === 'error') one.action = 'refused';
  }
  return { rows: settled, founders, report: settling.problems.report() };
}

/** Shared by all rows that change nothing. */
const NO_CHANGES: GermplasmChange[] = [];

/** Which germplasm a row is about. */
function settleName(row: GermplasmRow, stored: NameResolver, settling: Settling): SettledRow {
  const { problems, options, byName, byFold } = settling;
  const settled: SettledRow = {
    line: row.line,
    action: 'create',
    target: null,
    content: contentOf(row),
    changes: NO_CHANGES,
    severity: null,
  };
  const place = { line: row.line, column: options.columns?.name ?? null, value: row.name };
  const fault = nameFault(row.name);
  if (fault !== null) {
    problems.add('error', row.name === '' ? 'E-GP-NAME-EMPTY' : 'E-NAME-INVALID', {
      ...place,
      message: `${fault}.`,
      suggestion: 'Fill in or correct the name, or remove the row.',
    });
    return settled;
  }
  if (options.crop !== undefined && row.crop !== null && foldName(row.crop) !== foldName(options.crop))
    problems.add('error', 'E-GP-CROP', {
      line: row.line,
      column: options.columns?.crop ?? null,
      value: row.crop,
      message: `"${row.name}" belongs to the crop "${row.crop}", the upload is for "${options.crop}".`,
      suggestion: 'Upload it to the list of its own crop.',
    });
  const fold = foldName(row.name);
  const earlier = byName.get(row.name) ?? (row.isDistinct || fold === '' ? undefined : byFold.get(fold));
  if (earlier !== undefined) {
    reportRepeat(earlier.row, row, settling);
    settled.action = 'repeat';
    settled.target = earlier.settled.target;
    return settled;
  }
  const draft: Draft = { row, settled, stored: storedEntry(row, stored, settling), taken: new Set() };
  settled.target = draft.stored?.name ?? null;
  settling.drafts.push(draft);
  if (canonical(draft) !== row.name) settling.byCanonical.set(canonical(draft), draft);
  byName.set(row.name, draft);
  if (fold !== '' && !byFold.has(fold)) byFold.set(fold, draft);
  return settled;
}

/** The stored germplasm that the name of a row means; null for a new name. */
function storedEntry(row: GermplasmRow, stored: NameResolver, settling: Settling): CatalogueEntry | null {
  const { problems, options, storedByName } = settling;
  const place = { line: row.line, column: options.columns?.name ?? null, value: row.name };
  const resolution = stored.resolve(row.name);
  if (resolution.status === 'unknown') return null;
  if (resolution.status === 'ambiguous') {
    if (row.isDistinct && resolution.how === 'folded') return null;
    problems.add('error', 'E-NAME-AMBIG', { ...place, ...ambiguityText(row.name, resolution.candidates) });
    return null;
  }
  const { name, how } = resolution;
  if (how === 'folded') {
    if (row.isDistinct) return null;
    problems.add('warning', 'W-GP-NEAR-DUP', {
      ...place,
      message: `"${row.name}" was taken as "${name}" of the list: they differ only in case, blanks or punctuation.`,
      suggestion: `Write "${name}", or confirm that they are really different lines.`,
    });
  } else if (how === 'synonym')
    problems.add('info', 'I-GP-SYNONYM', {
      ...place,
      message: `"${row.name}" is a synonym of "${name}"; the row is taken as "${name}".`,
      suggestion: 'Nothing to do, unless it is another line: then remove the synonym first.',
    });
  return storedByName.get(name) ?? null;
}

/** A second row of a germplasm. */
function reportRepeat(earlier: GermplasmRow, row: GermplasmRow, { problems, options }: Settling): void {
  const place = { line: row.line, column: options.columns?.name ?? null, value: row.name };
  const isOtherSpelling = earlier.name !== row.name;
  if (isOtherSpelling)
    problems.add('warning', 'W-GP-NEAR-DUP', {
      ...place,
      message: `"${row.name}" was taken as "${earlier.name}" of line ${earlier.line}: they differ only in case, blanks or punctuation.`,
      suggestion: 'Use one spelling, or confirm that they are really different lines.',
    });
  if (isSameContent(earlier, row)) return;
  problems.add('error', 'E-GP-DUP-NAME', {
    ...place,
    message: isOtherSpelling
      ? `"${row.name}" on line ${row.line} and "${earlier.name}" on line ${earlier.line} are one name with different content.`
      : `"${row.name}" occurs on line ${earlier.line} and on line ${row.line} with different content.`,
    suggestion: isOtherSpelling
      ? 'Confirm that they are really different lines, or keep one of the rows.'
      : 'Keep one of the rows, or give the lines different names.',
  });
}

/** What is stored in the end. */
function applyRule({ settled, stored }: Draft, rule: ExistingRule): void {
  if (stored === null) return;
  const given = settled.content;
  settled.content = merged(stored, given, rule);
  const applied = changesOf(stored, settled.content);
  settled.action = applied.length > 0 ? 'change' : 'same';
  settled.changes = applied.length > 0 ? applied : changesOf(stored, merged(stored, given, 'overwrite'));
}
