import { foldName, normalizeName } from './normalize-name.ts';
import { createTrigramIndex, type SimilarName, type TrigramIndex } from './trigram-index.ts';

/** Pairs of a synonym and the germplasm name it stands for. */
export type SynonymPairs = Iterable<readonly [synonym: string, name: string]>;

export type MatchStep = 'rename' | 'exact' | 'synonym' | 'folded';

export type Resolution =
  | { status: 'found'; name: string; how: Exclude<MatchStep, 'rename'> }
  | { status: 'ambiguous'; candidates: string[]; how: 'synonym' | 'folded' }
  | { status: 'unknown' };

/** A catalogue of germplasm that finds the one a name means. */
export interface NameResolver {
  resolve(name: string): Resolution;
  /** Names of germplasm that look like an unknown name, best first. The first call builds an index of all names. */
  suggest(name: string): SimilarName[];
}

const SUGGESTIONS = 3;

/** Keys with one value each but for a few: a set for each of 200,000 keys would take 40 MB. */
type Multimap = Map<string, string | string[]>;

/**
 * The rule that says which germplasm a name means, the same for every file, analysis and request; the first hit wins:
 * (1) exact after {@link normalizeName}; (2) synonym; (3) without case and punctuation, when only one germplasm has
 * that form in its name or a synonym; otherwise suggestions by trigram similarity, never applied. A name that is one
 * germplasm's own and another's synonym, or a synonym of two, is ambiguous.
 */
export function createNameResolver(names: Iterable<string>, synonyms: SynonymPairs = []): NameResolver {
  const writtenOf = new Map<string, string>();
  const meanings: Multimap = new Map();
  const addName = (name: string): string => {
    const key = normalizeName(name);
    if (key !== '' && !writtenOf.has(key)) writtenOf.set(key, name);
    return key;
  };
  for (const name of names) addName(name);
  for (const [synonym, name] of synonyms) {
    const key = addName(name);
    const other = normalizeName(synonym);
    if (other === key || key === '') continue;
    add(meanings, other, key);
  }
  // Made when a name is first found neither as it is nor as a synonym: in most files that are large, never.
  let folded: Multimap | undefined;
  const withFold = (fold: string): string | string[] | undefined => {
    folded ??= foldedForms(writtenOf.keys(), meanings);
    return folded.get(fold);
  };
  const written = (keys: string | readonly string[]) => [keys].flat().map((key) => writtenOf.get(key) ?? key);

  function resolve(name: string): Resolution {
    const key = normalizeName(name);
    if (key === '') return { status: 'unknown' };
    const asSynonym = meanings.get(key);
    const own = writtenOf.get(key);
    if (own !== undefined) {
      if (asSynonym === undefined) return { status: 'found', name: own, how: 'exact' };
      return { status: 'ambiguous', candidates: [own, ...written(asSynonym).sort()], how: 'synonym' };
    }
    const found = asSynonym ?? withFold(foldName(key));
    if (found === undefined) return { status: 'unknown' };
    const how = asSynonym === undefined ? 'folded' : 'synonym';
    const [first = key, ...others] = written(found).sort();
    return others.length === 0
      ? { status: 'found', name: first, how }
      : { status: 'ambiguous', candidates: [first, ...others], how };
  }

  let index: TrigramIndex | undefined;
  function suggest(name: string): SimilarName[] {
    index ??= createTrigramIndex([...writtenOf.keys(), ...meanings.keys()]);
    const best = new Map<string, number>();
    for (const { name: similar, similarity } of index.nearest(normalizeName(name), 2 * SUGGESTIONS)) {
      for (const owner of writtenOf.has(similar) ? [similar] : [meanings.get(similar) ?? []].flat().sort()) {
        if (!best.has(owner)) best.set(owner, similarity);
      }
    }
    return [...best]
      .slice(0, SUGGESTIONS)
      .map(([owner, similarity]) => ({ name: writtenOf.get(owner) ?? owner, similarity }));
  }
  return { resolve, suggest };
}

function foldedForms(names: Iterable<string>, meanings: Multimap): Multimap {
  const folded: Multimap = new Map();
  for (const name of names) add(folded, foldName(name), name);
  for (const [synonym, owners] of meanings) for (const owner of [owners].flat()) add(folded, foldName(synonym), owner);
  return folded;
}

function add(map: Multimap, key: string, value: string): void {
  if (key === '') return;
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  else if (typeof known === 'string') {
    if (known !== value) map.set(key, [known, value]);
  } else if (!known.includes(value)) known.push(value);
}
