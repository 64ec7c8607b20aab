import { type Matings, matingsOf } from './matings.ts';
import type { Pedigree } from './pedigree.ts';
import { createWalk, SIDE_BY_SIDE, type Walk } from './walk.ts';

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
 * Pairs that share a parent share the walk, and walks go from as few parents as cover all pairs, the keys: O(parents ×
 * keys) in the worst case, and O(n) for selfings, clones and doubled haploids of one plant.
 */
export function inbreedingOf(pedigree: Pedigree): Inbreeding {
  const { size, maternal, paternal, heterozygosity } = pedigree;
  const coefficients = new Float64Array(size);
  const mendelian = new Float64Array(size);
  const pairs = matingsOf(pedigree);
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
