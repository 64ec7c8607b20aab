import { StatgenError } from '../statgen-error.ts';

/** Generations of selfing that make a line fully homozygous: doubled haploids and F∞ inbred lines. */
export const FULLY_INBRED: number = Number.POSITIVE_INFINITY;
/** In place of generations of selfing: the individual is a copy of its one parent. */
export const CLONE: number = -1;

/** Who descends from whom, in any order. */
export interface Descent {
  /** Position of the female parent of each of n individuals; −1 = unknown. */
  maternal: Int32Array;
  /** Position of the male parent; −1 = unknown. Equal to `maternal` for progeny of one plant. */
  paternal: Int32Array;
  /**
   * Generations of selfing by single-seed descent after the cross of the parents, n values: 0 = the progeny of the
   * cross itself, 4 = an F5 line of the cross, {@link FULLY_INBRED}, {@link CLONE}. Default 0 for all. A founder that
   * is an inbred line has {@link FULLY_INBRED} and no parents. The selfed progeny of a plant has this plant as both
   * parents, and 0.
   */
  selfings?: Float64Array;
}

/** A pedigree in which parents come before their progeny. Positions below are positions in this order. */
export interface Pedigree {
  /** Number of individuals, n. */
  size: number;
  /** Original position of each individual in order. */
  original: Int32Array;
  /** Place in order of each original position. */
  place: Int32Array;
  maternal: Int32Array;
  paternal: Int32Array;
  /** 2^−t for t generations of selfing after the cross: 1 for none, 0 for a fully inbred line, 2 for a clone. */
  heterozygosity: Float64Array;
  /** Longest way down from a founder, which has 0. Ascending. */
  generation: Int32Array;
}

/**
 * Sorts a pedigree by generation, and within a generation by original position. O(n).
 *
 * @throws StatgenError `shape-mismatch` for arrays of different lengths or positions out of range; `bad-option` for
 * generations of selfing that are neither ≥ 0 nor a clone of one known parent; `pedigree-loop` when an individual
 * descends from itself (details: `loop`, original positions from child to parent, separated by blanks)
 */
export function createPedigree({ maternal, paternal, selfings }: Descent): Pedigree {
  const n = maternal.length;
  requireShapes(maternal, paternal, selfings);
  const generation = generationsOf(maternal, paternal);
  const deepest = generation.reduce((most, value) => Math.max(most, value), 0);
  const next = new Int32Array(deepest + 2);
  for (let i = 0; i < n; i++) next[generation[i] + 1]++;
  for (let g = 1; g < next.length; g++) next[g] += next[g - 1];
  const original = new Int32Array(n);
  const place = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    place[i] = next[generation[i]]++;
    original[place[i]] = i;
  }
  const sorted = {
    maternal: new Int32Array(n).fill(-1),
    paternal: new Int32Array(n).fill(-1),
    heterozygosity: new Float64Array(n).fill(1),
    generation: new Int32Array(n),
  };
  for (let k = 0; k < n; k++) {
    const i = original[k];
    if (maternal[i] >= 0) sorted.maternal[k] = place[maternal[i]];
    if (paternal[i] >= 0) sorted.paternal[k] = place[paternal[i]];
    if (selfings !== undefined) sorted.heterozygosity[k] = 2 ** -selfings[i];
    sorted.generation[k] = generation[i];
  }
  return { size: n, original, place, ...sorted };
}

function requireShapes(maternal: Int32Array, paternal: Int32Array, selfings: Float64Array | undefined): void {
  const n = maternal.length;
  if (paternal.length !== n || (selfings !== undefined && selfings.length !== n)) {
    throw new StatgenError(
      'shape-mismatch',
      `${n} female parents do not fit ${paternal.length} male parents and ${selfings?.length ?? n} numbers of selfings`,
    );
  }
  for (let i = 0; i < n; i++) {
    if (maternal[i] < -1 || maternal[i] >= n || paternal[i] < -1 || paternal[i] >= n) {
      throw new StatgenError('shape-mismatch', `individual ${i + 1} has a parent outside the ${n} individuals`);
    }
    const t = selfings?.[i] ?? 0;
    const isClone = t === CLONE && maternal[i] >= 0 && maternal[i] === paternal[i];
    if (!(t >= 0 || isClone)) {
      throw new StatgenError('bad-option', `individual ${i + 1} cannot have ${t} generations of selfing`, {
        individual: i + 1,
      });
    }
  }
}

/** Longest way down from a founder, by original position. Individuals are released once both parents are placed. */
function generationsOf(maternal: Int32Array, paternal: Int32Array): Int32Array {
  const n = maternal.length;
  const waiting = new Int32Array(n);
  const starts = new Int32Array(n + 1);
  const forEachParent = (i: number, visit: (parent: number) => void): void => {
    if (maternal[i] >= 0) visit(maternal[i]);
    if (paternal[i] >= 0) visit(paternal[i]);
  };
  for (let i = 0; i < n; i++) {
    forEachParent(i, (parent) => {
      waiting[i]++;
      starts[parent + 1]++;
    });
  }
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const next = starts.slice(0, n);
  const progeny = new Int32Array(starts[n]);
  for (let i = 0; i < n; i++) forEachParent(i, (parent) => (progeny[next[parent]++] = i));
  const generation = new Int32Array(n);
  const ready = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) if (waiting[i] === 0) ready[count++] = i;
  for (let k = 0; k < count; k++) {
    const parent = ready[k];
    for (let at = starts[parent]; at < starts[parent + 1]; at++) {
      const child = progeny[at];
      generation[child] = Math.max(generation[child], generation[parent] + 1);
      if (--waiting[child] === 0) ready[count++] = child;
    }
  }
  if (count < n) throw loopError(maternal, paternal, waiting);
  return generation;
}

/** Everyone still waiting has a parent that waits, so walking up from one of them must return to someone seen. */
function loopError(maternal: Int32Array, paternal: Int32Array, waiting: Int32Array): StatgenError {
  const path: number[] = [];
  const stepOf = new Map<number, number>();
  let at = waiting.findIndex((value) => value > 0);
  while (!stepOf.has(at)) {
    stepOf.set(at, path.length);
    path.push(at);
    at = maternal[at] >= 0 && waiting[maternal[at]] > 0 ? maternal[at] : paternal[at];
  }
  const loop = [...path.slice(stepOf.get(at)), at];
  return new StatgenError('pedigree-loop', `individual ${at + 1} descends from itself`, { loop: loop.join(' ') });
}

/**
 * The part of a pedigree that some individuals descend from, themselves included.
 *
 * @param positions positions in the order of `pedigree`
 * @returns the positions of the part, ascending: parents come before progeny
 */
export function ancestorsOf(pedigree: Pedigree, positions: Int32Array): Int32Array {
  const { maternal, paternal } = pedigree;
  const isWanted = new Uint8Array(pedigree.size);
  for (const i of positions) isWanted[i] = 1;
  let count = 0;
  for (let i = pedigree.size - 1; i >= 0; i--) {
    if (isWanted[i] === 0) continue;
    count++;
    if (maternal[i] >= 0) isWanted[maternal[i]] = 1;
    if (paternal[i] >= 0) isWanted[paternal[i]] = 1;
  }
  const result = new Int32Array(count);
  let k = 0;
  for (let i = 0; i < pedigree.size; i++) if (isWanted[i] === 1) result[k++] = i;
  return result;
}
