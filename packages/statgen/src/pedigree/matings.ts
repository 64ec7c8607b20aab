import type { Pedigree } from './pedigree.ts';

/** Distinct pairs of parents. Parents are numbered among themselves: the rest never enters a walk. */
export interface Matings {
  /** Positions of those that are a parent, by generation. */
  parents: Int32Array;
  /** Pair of each individual with two different known parents. */
  pairOf: Int32Array;
  /** Relationship of the two parents, by pair; to be filled in. */
  relationship: Float64Array;
  /** Pairs by the parent from which the walk goes: those of parent k are at starts[k] … starts[k + 1] − 1. */
  starts: Int32Array;
  pairs: Int32Array;
  /** The other parent of the pair, in the order of `pairs`. */
  mates: Int32Array;
}

/** Finds the pairs, and gives each to one of its parents so that few parents have any. O(n). */
export function matingsOf(pedigree: Pedigree): Matings {
  const parents = parentsOf(pedigree);
  const { pairOf, low, high } = distinctPairs(pedigree, parents);
  const keys = coverPairs(parents.length, low, high);
  const starts = new Int32Array(parents.length + 1);
  for (const key of keys) starts[key + 1]++;
  for (let k = 0; k < parents.length; k++) starts[k + 1] += starts[k];
  const next = starts.slice(0, parents.length);
  const pairs = new Int32Array(low.length);
  const mates = new Int32Array(low.length);
  for (let pair = 0; pair < low.length; pair++) {
    const at = next[keys[pair]]++;
    pairs[at] = pair;
    mates[at] = low[pair] === keys[pair] ? high[pair] : low[pair];
  }
  return { parents, pairOf, relationship: new Float64Array(low.length), starts, pairs, mates };
}

/** By generation, and in each by mother: siblings then find her beside each other in memory on a walk down. */
function parentsOf({ size, maternal, paternal, generation }: Pedigree): Int32Array {
  const isParent = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    if (maternal[i] >= 0) isParent[maternal[i]] = 1;
    if (paternal[i] >= 0) isParent[paternal[i]] = 1;
  }
  const parents = Int32Array.from(isParent.keys()).filter((i) => isParent[i] === 1);
  const number = new Int32Array(size);
  for (let from = 0, to = 0; from < parents.length; from = to) {
    while (to < parents.length && generation[parents[to]] === generation[parents[from]]) to++;
    const same = parents.subarray(from, to);
    const mother = (i: number) => (maternal[i] < 0 ? -1 : number[maternal[i]]);
    same.sort((a, b) => mother(a) - mother(b) || a - b);
    for (let k = from; k < to; k++) number[parents[k]] = k;
  }
  return parents;
}

/** Pairs of different parents by their numbers, each once. */
function distinctPairs({ size, maternal, paternal }: Pedigree, parents: Int32Array) {
  const number = new Int32Array(size).fill(-1);
  for (let k = 0; k < parents.length; k++) number[parents[k]] = k;
  const pairNumbers = new Map<number, number>();
  const pairOf = new Int32Array(size).fill(-1);
  const low: number[] = [];
  const high: number[] = [];
  for (let i = 0; i < size; i++) {
    if (maternal[i] < 0 || paternal[i] < 0 || maternal[i] === paternal[i]) continue;
    const a = Math.min(number[maternal[i]], number[paternal[i]]);
    const b = Math.max(number[maternal[i]], number[paternal[i]]);
    const key = a * parents.length + b;
    let pair = pairNumbers.get(key);
    if (pair === undefined) {
      pair = low.length;
      pairNumbers.set(key, pair);
      low.push(a);
      high.push(b);
    }
    pairOf[i] = pair;
  }
  return { pairOf, low, high };
}

/**
 * One parent of each pair, so that few parents are taken (a vertex cover). The only mate of a parent is taken before
 * all others, which is never worse than any other choice (Karp & Sipser 1981); where there is no such mate, the parent
 * with the most pairs left.
 */
function coverPairs(parents: number, low: readonly number[], high: readonly number[]): Int32Array {
  const count = low.length;
  const ends = [low, high].flatMap((side) => side);
  const left = new Int32Array(parents);
  for (const parent of ends) left[parent]++;
  const starts = new Int32Array(parents + 1);
  for (let k = 0; k < parents; k++) starts[k + 1] = starts[k] + left[k];
  const next = starts.slice(0, parents);
  const pairsAt = new Int32Array(2 * count);
  for (let at = 0; at < ends.length; at++) pairsAt[next[ends[at]]++] = at % count;
  const keys = new Int32Array(count).fill(-1);
  const single = Array.from(left.keys()).filter((k) => left[k] === 1);

  function take(parent: number): void {
    for (let at = starts[parent]; at < starts[parent + 1]; at++) {
      const pair = pairsAt[at];
      if (keys[pair] >= 0) continue;
      keys[pair] = parent;
      const mate = low[pair] === parent ? high[pair] : low[pair];
      left[parent]--;
      if (--left[mate] === 1) single.push(mate);
    }
  }
  function takeOnlyMates(): void {
    for (let parent = single.pop(); parent !== undefined; parent = single.pop()) {
      if (left[parent] !== 1) continue;
      for (let at = starts[parent]; at < starts[parent + 1]; at++) {
        const pair = pairsAt[at];
        if (keys[pair] < 0) take(low[pair] === parent ? high[pair] : low[pair]);
      }
    }
  }
  takeOnlyMates();
  const byPairs = Array.from(left.keys()).filter((k) => left[k] > 0);
  byPairs.sort((a, b) => left[b] - left[a]);
  for (const parent of byPairs) {
    take(parent);
    takeOnlyMates();
  }
  return keys;
}
