import type { NameCatalogue } from './match-names.ts';
import { createNameResolver, type Resolution } from './name-resolver.ts';

export interface Rename {
  from: string;
  to: string;
  how: Extract<Resolution, { status: 'found' }>['how'];
}

export interface CanonicalNames {
  /** Names that are written differently in the catalogue, in the order given. */
  renames: Rename[];
  /** Names that are canonical already. */
  canonical: number;
  /** Names that may mean several germplasm; they stay as written. */
  ambiguous: { name: string; candidates: string[] }[];
  /** Names that the catalogue does not have; they stay as written. */
  unknown: string[];
  /** Names of which several would become one. */
  clashes: { to: string; from: string[] }[];
}

/**
 * The names under which a catalogue has some individuals, by the rule of {@link createNameResolver}.
 *
 * @param names each once, after normalizeName
 */
export function canonicalNames(names: readonly string[], catalogue: NameCatalogue): CanonicalNames {
  const resolver = createNameResolver(catalogue.names ?? [], catalogue.synonyms);
  const found: CanonicalNames = { renames: [], canonical: 0, ambiguous: [], unknown: [], clashes: [] };
  const writtenAs = new Map<string, string[]>();
  for (const name of names) {
    const resolution = resolver.resolve(name);
    const to = resolution.status === 'found' ? resolution.name : name;
    writtenAs.set(to, [...(writtenAs.get(to) ?? []), name]);
    if (resolution.status === 'ambiguous') found.ambiguous.push({ name, candidates: resolution.candidates });
    else if (resolution.status === 'unknown') found.unknown.push(name);
    else if (to === name) found.canonical++;
    else found.renames.push({ from: name, to, how: resolution.how });
  }
  for (const [to, from] of writtenAs) if (from.length > 1) found.clashes.push({ to, from });
  return found;
}
