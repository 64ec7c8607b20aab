import type { Pedigree } from './pedigree.ts';

/** What a pedigree says of single individuals, by position in its order. */
export interface Inbreeding {
  /** F of each individual. */
  coefficients: Float64Array;
  /**
   * Variance of the Mendelian sampling of each individual, in units of the additive variance: 1 for a founder, ½ for a
   * cross of plants that are not inbred, 0 for a clone and for an F1 of two fully inbred lines.
   */
  mendelian: Float64Array;
}

/** Columns of A that are computed side by side. */
const SIDE_BY_SIDE = 4;

/**
 * Inbreeding of all individuals of a pedigree.
 *
 * With u = ½u_p + ½u_q + m, the relationship is A = TDTᵀ (Henderson 1976; Quaas 1976). The relationships of one parent
 * to its mates are a column of A: one walk from the parent up to its ancestors and one down to the mates (Colleau 2002,
 * applied to pairs of parents as by Sargolzaei, Iwaisaki & Colleau 2005). The F1 of p × q has F₀ = ½A_pq. After t
 * generations of selfing F = 1 − (1 − F₀)/2^t, and the Mendelian variance is what A_ii = 1 + F has beyond the parents'
 * average: 1 + F − ¼A_pp − ¼A_qq − ½A_pq. An unknown parent adds nothing to either. A clone is t = −1 of the selfing of
 * its parent: F = F_p, and no Mendelian variance.
 *
 * Each distinct pair of parents costs at most one walk, and pairs that share a parent share the walk: O(parents × keys)
 * in the worst case, and O(n) for selfings, clones and doubled haploids of one plant.
 */
export function inbreedingOf(pedigree: Pedigree): Inbreeding {
  const { size, maternal, paternal, heterozygosity } = pedigree;
  const coefficients = new Float64Array(size);
  const mendelian = new Float64Array(size);
  const pairs = matings(pedigree);
  const walk = createWalk(pairs.parents, pedigree);
  const settle = (i: number): void => {
    const p = maternal[i];
    const q = paternal[i];
    let shared = 0;
    if (p >= 0 && p === q) shared = 1 + coefficients[p];
    else if (p >= 0 && q >= 0) shared = pairs.relationship[pairs.pairOf[i]];
    const first = 0.5 * shared;
    const f = 1 - (1 - first) * heterozygosity[i];
    coefficients[i] = f;
    const known = (p >= 0 ? 0.25 * (1 + coefficients[p]) : 0) + (q >= 0 ? 0.25 * (1 + coefficients[q]) : 0) + first;
    mendelian[i] = Math.max(0, 1 + f - known);
  };
  let from = 0;
  let parent = 0;
  while (from < size) {
    let to = from;
    while (to < size && pedigree.generation[to] === pedigree.generation[from]) settle(to++);
    const firstParent = parent;
    while (parent < pairs.parents.length && pairs.parents[parent] < to) {
      walk.mendelian[parent] = mendelian[pairs.parents[parent]];
      parent++;
    }
    relateMates(pairs, walk, firstParent, parent);
    from = to;
  }
  return { coefficients, mendelian };
}

/** Distinct pairs of parents. Parents are numbered in order among themselves: the rest never enters a walk. */
interface Matings {
  /** Positions of those that are a parent, ascending. */
  parents: Int32Array;
  /** Pair of each individual with two different known parents. */
  pairOf: Int32Array;
  /** Relationship of the two parents, by pair; filled in generation after generation. */
  relationship: Float64Array;
  /** Pairs by the parent from which the walk goes: those of parent k are at starts[k] … starts[k + 1] − 1. */
  starts: Int32Array;
  pairs: Int32Array;
  /** The other parent of the pair, in the order of `pairs`. */
  mates: Int32Array;
}

function matings({ size, maternal, paternal }: Pedigree): Matings {
  const isParent = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    if (maternal[i] >= 0) isParent[maternal[i]] = 1;
    if (paternal[i] >= 0) isParent[paternal[i]] = 1;
  }
  const parents = Int32Array.from(isParent.keys()).filter((i) => isParent[i] === 1);
  const number = new Int32Array(size).fill(-1);
  for (let k = 0; k < parents.length; k++) number[parents[k]] = k;
  const pairNumbers = new Map<number, number>();
  const pairOf = new Int32Array(size).fill(-1);
  const low: number[] = [];
  const high: number[] = [];
  const uses = new Int32Array(parents.length);
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
      uses[a]++;
      uses[b]++;
    }
    pairOf[i] = pair;
  }
  const keyOf = (pair: number): number => (uses[high[pair]] > uses[low[pair]] ? high[pair] : low[pair]);
  const starts = new Int32Array(parents.length + 1);
  for (let pair = 0; pair < low.length; pair++) starts[keyOf(pair) + 1]++;
  for (let k = 0; k < parents.length; k++) starts[k + 1] += starts[k];
  const next = starts.slice(0, parents.length);
  const pairs = new Int32Array(low.length);
  const mates = new Int32Array(low.length);
  for (let pair = 0; pair < low.length; pair++) {
    const key = keyOf(pair);
    const at = next[key]++;
    pairs[at] = pair;
    mates[at] = low[pair] === key ? high[pair] : low[pair];
  }
  return { parents, pairOf, relationship: new Float64Array(low.length), starts, pairs, mates };
}

/** Relationships of the parents `first` … `end` − 1, all of one generation, to the mates for which they are the key. */
function relateMates({ starts, pairs, mates, relationship }: Matings, walk: Walk, first: number, end: number): void {
  const keys: number[] = [];
  const flush = (): void => {
    if (keys.length === 0) return;
    let last = 0;
    for (const key of keys) {
      for (let at = starts[key]; at < starts[key + 1]; at++) last = Math.max(last, mates[at]);
    }
    const y = walk.columns(keys, last);
    for (const [column, key] of keys.entries()) {
      for (let at = starts[key]; at < starts[key + 1]; at++) {
        relationship[pairs[at]] = y[mates[at] * SIDE_BY_SIDE + column];
      }
    }
    keys.length = 0;
  };
  for (let key = first; key < end; key++) {
    if (starts[key] === starts[key + 1]) continue;
    keys.push(key);
    if (keys.length === SIDE_BY_SIDE) flush();
  }
  flush();
}

interface Walk {
  /** D of the part, by number; to be filled in before the columns that need it. */
  mendelian: Float64Array;
  /**
   * Up to four columns of A for the given numbers, of which all ancestors have their D. Only rows up to `last` are
   * computed. Row i of column k is at 4i + k; overwritten by the next call.
   */
  columns(keys: readonly number[], last: number): Float64Array;
}

/**
 * Columns of A of a part of a pedigree that contains all ancestors of its members.
 *
 * @param part positions, ascending
 */
export function createWalk(part: Int32Array, { size, maternal, paternal }: Pedigree): Walk {
  const n = part.length;
  const number = new Int32Array(size + 1).fill(-1);
  for (let k = 0; k < n; k++) number[part[k]] = k;
  // Unknown parents are one more row, n, that stays 0 on the way down.
  const female = Int32Array.from(part, (i) => (maternal[i] < 0 ? n : number[maternal[i]]));
  const male = Int32Array.from(part, (i) => (paternal[i] < 0 ? n : number[paternal[i]]));
  const mendelian = new Float64Array(n);
  const y = new Float64Array((n + 1) * SIDE_BY_SIDE);
  return {
    mendelian,
    columns(keys, last) {
      let top = 0;
      for (const key of keys) top = Math.max(top, key);
      const reach = Math.max(top, last);
      y.fill(0, 0, (reach + 1) * SIDE_BY_SIDE);
      for (const [column, key] of keys.entries()) y[key * SIDE_BY_SIDE + column] = 1;
      const lowest = walkUp(y, female, male, mendelian, top);
      y.fill(0, n * SIDE_BY_SIDE);
      walkDown(y, female, male, lowest, reach);
      return y;
    },
  };
}

/** DTᵀ in place, from row `top` to founders; returns the lowest row with a value. */
function walkUp(y: Float64Array, female: Int32Array, male: Int32Array, d: Float64Array, top: number): number {
  let lowest = top;
  for (let i = top; i >= 0; i--) {
    const at = i * SIDE_BY_SIDE;
    const y0 = y[at];
    const y1 = y[at + 1];
    const y2 = y[at + 2];
    const y3 = y[at + 3];
    if (y0 === 0 && y1 === 0 && y2 === 0 && y3 === 0) continue;
    lowest = i;
    const f = female[i] * SIDE_BY_SIDE;
    y[f] += 0.5 * y0;
    y[f + 1] += 0.5 * y1;
    y[f + 2] += 0.5 * y2;
    y[f + 3] += 0.5 * y3;
    const m = male[i] * SIDE_BY_SIDE;
    y[m] += 0.5 * y0;
    y[m + 1] += 0.5 * y1;
    y[m + 2] += 0.5 * y2;
    y[m + 3] += 0.5 * y3;
    const di = d[i];
    y[at] = y0 * di;
    y[at + 1] = y1 * di;
    y[at + 2] = y2 * di;
    y[at + 3] = y3 * di;
  }
  return lowest;
}

/** T in place, rows `first` to `last`; rows before `first` are 0. */
function walkDown(y: Float64Array, female: Int32Array, male: Int32Array, first: number, last: number): void {
  for (let i = first; i <= last; i++) {
    const at = i * SIDE_BY_SIDE;
    const f = female[i] * SIDE_BY_SIDE;
    const m = male[i] * SIDE_BY_SIDE;
    y[at] += 0.5 * (y[f] + y[m]);
    y[at + 1] += 0.5 * (y[f + 1] + y[m + 1]);
    y[at + 2] += 0.5 * (y[f + 2] + y[m + 2]);
    y[at + 3] += 0.5 * (y[f + 3] + y[m + 3]);
  }
}
