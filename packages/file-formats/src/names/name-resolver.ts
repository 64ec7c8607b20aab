import type { MatchStep, SynonymPairs } from './match-names.ts';
import { foldName, normalizeName } from './normalize-name.ts';
import { createTrigramIndex, type SimilarName, type TrigramIndex } from './trigram-index.ts';

export type Resolution =
  | { status: 'found'; name: string; how: Exclude<MatchStep, 'rename'> }
  | { status: 'ambiguous'; candidates: string[] }
  | { status: 'unknown'; suggestions: SimilarName[] };

/** A catalogue of germplasm that finds the one a name means. */
export interface NameResolver {
  resolve(name: string): Resolution;
}

const SUGGESTIONS = 3;

/**
 * The four steps of {@link import('./match-names.ts').matchNames} against one catalogue: exact, synonym, folded when
 * only one germplasm has that form (in its name or a synonym), else suggestions by trigram similarity (name or synonym;
 * the germplasm's name is given). A name that is one germplasm's own and another's synonym is ambiguous.
 */
export function createNameResolver(names: Iterable<string>, synonyms: SynonymPairs = []): NameResolver {
  const writtenOf = new Map<string, string>();
  const meanings = new Map<string, Set<string>>();
  const folded = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, name: string) => {
    if (key === '') return;
    const known = map.get(key);
    if (known === undefined) map.set(key, new Set([name]));
    else known.add(name);
  };
  for (const name of names) {
    const key = normalizeName(name);
    if (key === '' || writtenOf.has(key)) continue;
    writtenOf.set(key, name);
    add(folded, foldName(key), key);
  }
  for (const [synonym, name] of synonyms) {
    const key = normalizeName(name);
    if (!writtenOf.has(key)) writtenOf.set(key, name);
    add(folded, foldName(key), key);
    const other = normalizeName(synonym);
    if (other === key) continue;
    add(meanings, other, key);
    add(folded, foldName(other), key);
  }
  let index: TrigramIndex | undefined;

  const written = (keys: Iterable<string>) => [...keys].map((key) => writtenOf.get(key) ?? key).sort();
  function suggestions(key: string): SimilarName[] {
    index ??= createTrigramIndex([...writtenOf.keys(), ...meanings.keys()]);
    const best = new Map<string, number>();
    for (const { name, similarity } of index.nearest(key, 2 * SUGGESTIONS)) {
      for (const owner of writtenOf.has(name) ? [name] : (meanings.get(name) ?? [])) {
        if (!best.has(owner)) best.set(owner, similarity);
      }
    }
    return [...best]
      .slice(0, SUGGESTIONS)
      .map(([owner, similarity]) => ({ name: writtenOf.get(owner) ?? owner, similarity }));
  }
  function resolve(name: string): Resolution {
    const key = normalizeName(name);
    if (key === '') return { status: 'unknown', suggestions: [] };
    const asSynonym = meanings.get(key);
    const own = writtenOf.get(key);
    if (own !== undefined) {
      if (asSynonym === undefined) return { status: 'found', name: own, how: 'exact' };
      return { status: 'ambiguous', candidates: [own, ...written(asSynonym)] };
    }
    if (asSynonym !== undefined) {
      const candidates = written(asSynonym);
      return candidates.length === 1
        ? { status: 'found', name: candidates[0], how: 'synonym' }
        : { status: 'ambiguous', candidates };
    }
    const asFolded = folded.get(foldName(key));
    if (asFolded !== undefined) {
      const candidates = written(asFolded);
      return candidates.length === 1
        ? { status: 'found', name: candidates[0], how: 'folded' }
        : { status: 'ambiguous', candidates };
    }
    return { status: 'unknown', suggestions: suggestions(key) };
  }
  return { resolve };
}
