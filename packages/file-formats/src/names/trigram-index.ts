/** Below this similarity two names are not worth showing as a suggestion. */
const SUGGESTION_THRESHOLD = 0.57;

/** Candidates compared per name at most; reached only when thousands of names share their rarest trigrams. */
const MAX_CANDIDATES = 2000;

export interface SimilarName {
  name: string;
  /** Shared trigrams over all trigrams of the two names, 0–1. */
  similarity: number;
}

/** A searchable list of names. */
export interface TrigramIndex {
  /**
   * At most `count` names with a similarity of {@link SUGGESTION_THRESHOLD} or more, best first, then alphabetically.
   */
  nearest(name: string, count: number): SimilarName[];
}

/**
 * Trigrams of a name as PostgreSQL's pg_trgm defines them: lower case, split into words at everything that is no letter
 * or digit, each word padded with two blanks in front and one behind.
 */
function trigramsOf(name: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of name
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let start = 0; start + 3 <= padded.length; start++) trigrams.add(padded.slice(start, start + 3));
  }
  return trigrams;
}

/** Shared trigrams over all trigrams of two names (Jaccard index), 0–1. */
export function trigramSimilarity(a: string, b: string): number {
  const left = trigramsOf(a);
  const right = trigramsOf(b);
  let shared = 0;
  for (const trigram of left) if (right.has(trigram)) shared++;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

/**
 * Indexes names by trigram. The result does not depend on the order of `names`. A search looks at the rarest trigrams
 * of the name first and stops as soon as no unseen name can be better than those found (prefix filtering: Bayardo, Ma &
 * Srikant 2007, "Scaling up all pairs similarity search"), so that 10,000 searches in 10,000 names sharing one prefix
 * do not become 10⁸ comparisons.
 */
export function createTrigramIndex(names: Iterable<string>): TrigramIndex {
  const sorted = [...new Set(names)].sort();
  const postings = new Map<string, number[]>();
  const trigramSets = sorted.map((name, index) => {
    const trigrams = trigramsOf(name);
    for (const trigram of trigrams) {
      const posting = postings.get(trigram);
      if (posting === undefined) postings.set(trigram, [index]);
      else posting.push(index);
    }
    return trigrams;
  });
  const seenBy = new Int32Array(sorted.length).fill(-1);
  let search = 0;

  function nearest(name: string, count: number): SimilarName[] {
    const own = trigramsOf(name);
    const known: { trigram: string; posting: number[] }[] = [];
    for (const trigram of own) {
      const posting = postings.get(trigram);
      if (posting !== undefined) known.push({ trigram, posting });
    }
    known.sort((a, b) => a.posting.length - b.posting.length || (a.trigram < b.trigram ? -1 : 1));
    const found: SimilarName[] = [];
    let compared = 0;
    search++;
    for (let rank = 0; rank < known.length; rank++) {
      const bestPossible = (known.length - rank) / own.size;
      if (bestPossible < SUGGESTION_THRESHOLD) break;
      if (found.length >= count && found[count - 1].similarity >= bestPossible) break;
      for (const index of known[rank].posting) {
        if (seenBy[index] === search) continue;
        seenBy[index] = search;
        const other = trigramSets[index];
        if (other.size < SUGGESTION_THRESHOLD * own.size || own.size < SUGGESTION_THRESHOLD * other.size) continue;
        if (++compared > MAX_CANDIDATES) return found.slice(0, count);
        let shared = 0;
        for (const { trigram } of known) if (other.has(trigram)) shared++;
        const similarity = shared / (own.size + other.size - shared);
        if (similarity >= SUGGESTION_THRESHOLD) keepBest(found, { name: sorted[index], similarity }, count);
      }
    }
    return found.slice(0, count);
  }
  return { nearest };
}

/** Inserts into a list kept best first, then alphabetically, of at most `count` entries. */
function keepBest(found: SimilarName[], entry: SimilarName, count: number): void {
  let place = found.length;
  while (place > 0 && isBetter(entry, found[place - 1])) place--;
  if (place >= count) return;
  found.splice(place, 0, entry);
  if (found.length > count) found.pop();
}

function isBetter(a: SimilarName, b: SimilarName): boolean {
  return a.similarity !== b.similarity ? a.similarity > b.similarity : a.name < b.name;
}
