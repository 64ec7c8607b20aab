import { canonicalNames } from '@heterosis/file-formats/names/canonical-names';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readCatalogueOfProject } from '../germplasm/index.ts';
import type { ResolvedEntry } from './layout.ts';
import { findGermplasmIds } from './plots.queries.ts';

/** Names that a message lists, and that its details list. */
const SHOWN = 5;
const MOST_DETAILS = 1_000;

/**
 * Entries under their names of the germplasm list of the project, in the order given.
 *
 * @throws Problem `trials/unknown-entries` with those that the list lacks, or has several of
 */
export async function resolveEntries(
  db: Queryable,
  projectId: string,
  entries: readonly string[],
): Promise<ResolvedEntry[]> {
  const found = await matchEntries(db, projectId, entries);
  const { unknown, ambiguous } = found;
  const missing = [...unknown, ...ambiguous.map(({ name }) => name)];
  if (missing.length === 0) return found.entries;
  const shown = missing.slice(0, SHOWN).map((name) => `"${name}"`);
  throw new Problem(
    'trials/unknown-entries',
    `The germplasm list ${unknown.length > 0 ? 'lacks' : 'has several lines for'} ${missing.length} of the entries: ` +
      `${shown.join(', ')}${missing.length > SHOWN ? ' …' : ''}. Add them to the list, or correct their names. Nothing was saved.`,
    { details: { unknown: unknown.slice(0, MOST_DETAILS), ambiguous: ambiguous.slice(0, MOST_DETAILS) } },
  );
}

/** The same; what the list lacks stays as it is written, without an id. */
export async function matchEntries(
  db: Queryable,
  projectId: string,
  entries: readonly string[],
): Promise<{ entries: ResolvedEntry[]; unknown: string[]; ambiguous: { name: string; candidates: string[] }[] }> {
  const names = [...new Set(entries.map(normalizeName))];
  const { renames, unknown, ambiguous } = canonicalNames(names, await readCatalogueOfProject(db, projectId, names));
  const renamed = new Map(renames.map(({ from, to }) => [from, to]));
  const open = new Set([...unknown, ...ambiguous.map(({ name }) => name)]);
  const canonical = entries.map((entry) => renamed.get(normalizeName(entry)) ?? normalizeName(entry));
  const ids = await findGermplasmIds(db, projectId, [...new Set(canonical)]);
  return {
    entries: canonical.map((name) => ({ name, germplasm_id: open.has(name) ? null : (ids.get(name) ?? null) })),
    unknown,
    ambiguous,
  };
}
